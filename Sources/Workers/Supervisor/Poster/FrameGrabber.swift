import AttachmentContainer
import AttachmentModel
public import Foundation

/// Extracts poster frames from movies with `ffmpeg`, if it is installed.
///
/// The program decodes untrusted files. It runs as a child process under the workers' cap and a
/// time limit, and reads only the one file that it inherits open.
public struct FrameGrabber: Sendable, Hashable {
    /// Path of the program.
    public let executable: URL

    /// Uses the given program: `ffmpeg`, version 4 or later.
    public init(executable: URL) {
        self.executable = executable
    }

    /// Finds `ffmpeg` in the folders of `PATH`; nil if it is not installed.
    public static func installed() -> FrameGrabber? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        // Skip relative folders, which depend on the working directory.
        let path = folders.filter { $0.hasPrefix("/") }.map { "\($0)/ffmpeg" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return path.map { FrameGrabber(executable: URL(fileURLWithPath: $0)) }
    }
}

extension FrameGrabber {
    struct Movie: Sendable, Hashable {
        /// No other may read the file, so that references to other files are never followed.
        let demultiplexer: String
        let duration: Double?
        let width: Int

        init?(format: String, duration: Double?, width: Int) {
            switch MediaHeader.Format(rawValue: format) {
            case .mpeg4, .quickTime: demultiplexer = "mov"
            case .avi: demultiplexer = "avi"
            case .mpegProgram: demultiplexer = "mpeg"
            case .mpegVideo: demultiplexer = "mpegvideo"
            case .aiff, .wav, .mp3, nil: return nil
            }
            self.duration = duration
            self.width = width
        }
    }

    /// Strategies for choosing the frame, in descending order of memory.
    enum Choice: Sendable, Hashable, CaseIterable {
        /// Most representative of four frames from a tenth on, since movies often begin in black.
        case representative
        /// The key frame before a tenth, for 24 MB instead of 56 (H.264 of 1920 by 1080 pixels).
        case key
        /// The first key frame, for movies without a key frame before a tenth.
        case first
        /// As `key`, at half the width (20 MB in the same measurement).
        case small
    }

    func arguments(for movie: Movie, _ choice: Choice) -> [String] {
        var (input, output): ([String], [String]) = ([], [])
        let start = choice == .first ? 0 : (movie.duration ?? 0) / 10
        if start > 0 { input += ["-ss", Self.seconds(start)] }
        if choice != .representative {
            input += ["-skip_frame", "nokey", "-noaccurate_seek"]
            // The key frame precedes the seek position. Relative to it, its time would be negative,
            // and such frames are dropped.
            output = ["-copyts"]
        }
        var filters: [String] = []
        if choice == .representative {
            // Up to four frames over up to four seconds.
            let span = min(4, max(0.4, (movie.duration ?? 4) / 2))
            input += ["-t", Self.seconds(span)]
            filters.append("fps=\(Self.seconds(4 / span))")
        }
        filters.append(Self.scaling(to: choice == .small ? max(1, movie.width / 2) : movie.width))
        if choice == .representative { filters.append("thumbnail=4") }
        let coding = ["-threads", "1", "-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2pipe"]
        return [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", "-filter_threads",
            "1", "-protocol_whitelist", "file,pipe", "-f", movie.demultiplexer,
        ] + input + [
            // By descriptor, because a path could be replaced. As a file, because a pipe cannot be
            // sought and the index may be at the end.
            "-i", "file:/dev/fd/0", "-map", "0:V:0", "-frames:v", "1", "-vf",
            filters.joined(separator: ","),
        ] + output + coding + ["pipe:1"]
    }

    /// Makes pixels square and limits the width; `sar` is the pixel aspect ratio.
    private static func scaling(to width: Int) -> String {
        "scale=w='max(1,round(min(\(width),iw*sar)))'"
            + ":h='max(1,round(ih*min(1,\(width)/(iw*sar))))',setsar=1"
    }

    /// Seconds with three decimals, which every version accepts.
    private static func seconds(_ value: Double) -> String { min(value, 1e6).fixed(3) }
}
