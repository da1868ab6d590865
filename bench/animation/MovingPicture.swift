import BenchmarkMeasuring
import Foundation

/// An animation in the comparison.
struct MovingPicture: Sendable {
    let url: URL
    /// In pixels.
    let width: Int
    /// Number of frames.
    let frames: Int

    /// Half the width.
    var targetWidth: Int { width / 2 }

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
        (width, frames) = (header.storedSize.width, header.frameCount)
    }
}
