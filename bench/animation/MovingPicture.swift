import BenchmarkMeasuring
import Foundation

/// An animation in the comparison.
struct MovingPicture: Sendable {
    let url: URL
    /// In pixels.
    let width: Int
    /// Number of frames.
    let frames: Int

    /// In pixels.
    let height: Int
    /// Cap for thimble; nil for its default.
    var cap: String?

    /// Half the width, or the largest at which all frames fit thimble's render budget.
    var targetWidth: Int {
        let pixels = Self.renderBudget / 4 / frames
        return min(width / 2, Int((Double(pixels) * Double(width) / Double(height)).squareRoot()))
    }

    /// The name, with the cap if it is not the default.
    var name: String { url.lastPathComponent + (cap.map { " under \($0)" } ?? "") }

    /// Thimble's default for the decoded frames of an animation, in bytes.
    private static let renderBudget = 48 << 20

    /// True for GIFs, the only format that `gifsicle` reads.
    var isGIF: Bool { url.pathExtension == "gif" }

    /// True if libvips reads all frames.
    ///
    /// Of an animated PNG it reads only the first.
    var isReadByVips: Bool { isGIF || url.pathExtension == "webp" }

    /// Part of the report of `thimble inspect`.
    private struct Inspection: Decodable {
        struct Header: Decodable {
            struct Size: Decodable {
                let width: Int
                let height: Int
            }
            let frameCount: Int
            let storedSize: Size
        }
        let header: Header?
    }

    /// Processing narrower pictures takes less time than starting the programs.
    private static let smallestWidth = 150

    /// Finds the animations of folders.
    static func all(in folders: [URL], thimble: URL) throws -> [MovingPicture] {
        let found = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
        }
        let pictures = found.filter { ["gif", "webp", "png", "apng"].contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { MovingPicture($0, thimble: thimble) }
        guard !pictures.isEmpty else {
            throw BenchmarkError(
                "no animation of at least \(smallestWidth) pixels across in "
                    + folders.map(\.path).joined(separator: ", "))
        }
        return pictures
    }

    /// The benchmark's own film, under the default cap and under a small extension's cap.
    static func films(in folder: URL) throws -> [MovingPicture] {
        let url = folder.appendingPathComponent("film.gif")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Film.write(to: url)
        return [nil, "12MiB"].map { MovingPicture(film: url, cap: $0) }
    }

    private init(film url: URL, cap: String?) {
        (self.url, self.cap) = (url, cap)
        (width, height, frames) = (Film.side, Film.side, Film.frames)
    }

    private init?(_ url: URL, thimble: URL) {
        // Skip damaged files.
        guard
            let report = try? ChildProcess(
                thimble.path, "inspect", url.path, "--report", "json"
            ).run(),
            let inspections = try? JSONDecoder().decode([Inspection].self, from: Data(report.utf8)),
            let header = inspections.first?.header, header.frameCount > 1,
            header.storedSize.width >= Self.smallestWidth
        else { return nil }
        self.url = url
        (width, height) = (header.storedSize.width, header.storedSize.height)
        frames = header.frameCount
    }
}
