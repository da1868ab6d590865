import BenchmarkMeasuring
import Foundation

/// An animation that all contenders make smaller.
struct MovingPicture: Sendable {
    /// Where it is.
    let url: URL
    /// Its width in pixels.
    let width: Int
    /// Its frames.
    let frames: Int

    /// The width that is asked for: half of it.
    var targetWidth: Int { width / 2 }

    /// Whether it is a GIF, which is all that `gifsicle` reads.
    var isGIF: Bool { url.pathExtension == "gif" }

    /// Whether the libvips of `vipsthumbnail` reads its frames; of an animated PNG it reads the first.
    var isReadByVips: Bool { isGIF || url.pathExtension == "webp" }

    /// What `thimble inspect` says of a file.
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

    /// Narrower ones take no time that could be told from starting the programs.
    private static let smallestWidth = 150

    /// Finds the animations of some folders.
    ///
    /// - Parameters:
    ///   - folders: The folders.
    ///   - thimble: The program that looks into files.
    /// - Returns: Them, by name.
    /// - Throws: What listing a folder throws, or `BenchmarkError` when there is none.
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
        // What is damaged is no attachment to be measured.
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
