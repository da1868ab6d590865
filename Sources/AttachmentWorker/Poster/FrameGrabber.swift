import AttachmentContainer
public import Foundation

/// The program that takes a frame of a movie: `ffmpeg`, where it is installed.
///
/// It decodes what strangers sent, so it runs as a child under the workers' cap and a time limit, and
/// is told to read nothing but the one file that it is given open.
public struct FrameGrabber: Sendable, Hashable {
    /// The program.
    public let executable: URL

    /// Names a program.
    ///
    /// - Parameter executable: An `ffmpeg` of version 4 or later.
    public init(executable: URL) {
        self.executable = executable
    }

    /// Looks for `ffmpeg` in the folders of `PATH`.
    ///
    /// - Returns: The program; nil when it is not installed.
    public static func installed() -> FrameGrabber? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        // A relative folder would be another one wherever this process runs.
        let path = folders.filter { $0.hasPrefix("/") }.map { "\($0)/ffmpeg" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return path.map { FrameGrabber(executable: URL(fileURLWithPath: $0)) }
    }
}

extension FrameGrabber {
    /// A movie as the program is told of it.
    struct Movie: Sendable, Hashable {
        /// The name of the only demultiplexer that may look at the file, so that bytes that name other
        /// files (a playlist, a list to concatenate) are never followed.
        let demultiplexer: String
        /// How long it plays, in seconds; nil where it is unknown.
        let duration: Double?
        /// The widest that the frame is wanted, in pixels.
        let width: Int

        /// Describes a movie; nil for what is no movie.
        ///
        /// - Parameters:
        ///   - rendition: The movie in the container.
        ///   - format: The manifest's word for its format.
        ///   - width: The widest that the frame is wanted, in pixels.
        init?(_ rendition: Manifest.Rendition, format: String, width: Int) {
            switch MediaType(rawValue: rendition.type) {
            case .mpeg4: demultiplexer = "mov"
            case .avi: demultiplexer = "avi"
            case .mpeg: demultiplexer = format == "mpeg-ps" ? "mpeg" : "mpegvideo"
            case .mpeg2Video: demultiplexer = "mpegvideo"
            case .aiff, .wav, .mp3, .mpeg4Audio, nil: return nil
            }
            duration = rendition.duration
            self.width = width
        }
    }

    /// A way to choose the frame; each takes less than the one before.
    enum Choice: Sendable, Hashable, CaseIterable {
        /// The most telling of four that follow each other from a tenth on: what movies begin with is
        /// often black.
        case telling
        /// The key frame before a tenth: a decoder that sees no others holds no others (measured with
        /// H.264 of 1920 by 1080 pixels, all that the kernel counts: 24 MB in place of 56).
        case key
        /// The first key frame, where there is none at a tenth.
        case first
        /// The key frame before a tenth at half the width (measured with the same: 20 MB).
        case small
    }

    /// The arguments for one frame, from standard input to standard output.
    ///
    /// - Parameters:
    ///   - movie: The movie.
    ///   - choice: Which frame.
    /// - Returns: Everything behind the program's name.
    func arguments(for movie: Movie, _ choice: Choice) -> [String] {
        var (input, output): ([String], [String]) = ([], [])
        let start = choice == .first ? 0 : (movie.duration ?? 0) / 10
        if start > 0 { input += ["-ss", Self.seconds(start)] }
        if choice != .telling {
            input += ["-skip_frame", "nokey", "-noaccurate_seek"]
            // The key frame comes before what was sought; its time, counted from there, would be
            // negative, and frames of such times are left out.
            output = ["-copyts"]
        }
        var filters: [String] = []
        if choice == .telling {
            // Four frames over up to four seconds, as far as there are any.
            let span = min(4, max(0.4, (movie.duration ?? 4) / 2))
            input += ["-t", Self.seconds(span)]
            filters.append("fps=\(Self.seconds(4 / span))")
        }
        filters.append(Self.scaling(to: choice == .small ? max(1, movie.width / 2) : movie.width))
        if choice == .telling { filters.append("thumbnail=4") }
        let coding = ["-threads", "1", "-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2pipe"]
        return [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", "-filter_threads",
            "1", "-protocol_whitelist", "file,pipe", "-f", movie.demultiplexer,
        ] + input + [
            // By descriptor, since neither a name nor what stands at a path later can then matter; and
            // as a file, since a pipe cannot be searched for what stands at its end.
            "-i", "file:/dev/fd/0", "-map", "0:V:0", "-frames:v", "1", "-vf",
            filters.joined(separator: ","),
        ] + output + coding + ["pipe:1"]
    }

    /// Makes pixels square, and no more of them than are wanted.
    ///
    /// In the filter's own names `iw` and `ih` are the size of a frame, and `sar` is the width of its
    /// pixels divided by their height.
    private static func scaling(to width: Int) -> String {
        "scale=w='max(1,round(min(\(width),iw*sar)))'"
            + ":h='max(1,round(ih*min(1,\(width)/(iw*sar))))',setsar=1"
    }

    /// In thousandths, which every version reads.
    private static func seconds(_ value: Double) -> String {
        let thousandths = Int((min(value, 1e6) * 1000).rounded())
        return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    }
}
