package import AttachmentContainer
internal import AttachmentIntake
internal import AttachmentPlanning
package import Foundation

/// An input file of the benchmark.
package struct BenchmarkFile: Sendable, Hashable, Codable {
    /// Path relative to the folder.
    package let name: String
    package let bytes: ByteCount
    /// Upright size in pixels; nil if the header cannot be read.
    package let size: PixelSize?
    /// True if the result must be a PNG because of possible transparency.
    package let hasAlpha: Bool
    package let kind: Kind

    /// The expected result.
    package enum Kind: String, Sendable, Hashable, Codable {
        /// A smaller picture.
        case picture
        /// A smaller picture.
        ///
        /// For peers with a manifest, a still counts as reduced.
        case animation
        /// The same bytes: peers with a container pass sound and movies through.
        case media
    }

    package init(_ name: String, in folder: URL) {
        self.name = name
        let path = folder.appending(path: name).path
        bytes = ByteCount(
            (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
        switch try? Probe.attachment(ofFile: path) {
        case .picture(let header):
            size = header.uprightSize
            hasAlpha = header.hasAlpha
            // Headers need not give the number of frames; the default is one.
            kind = header.frameCount ?? 1 > 1 ? .animation : .picture
        case .media(let header):
            (size, hasAlpha, kind) = (header.size, false, .media)
        case nil:
            (size, hasAlpha, kind) = (nil, false, .picture)
        }
    }

    /// File extension of the result.
    package var outputExtension: String { hasAlpha ? "png" : "jpg" }

    /// Minimum size of the result: fitted into a square, never enlarged.
    ///
    /// Nil if the source's size is unknown.
    func leastSize(within side: Int) -> PixelSize? {
        size.map { size in
            let scale = min(1, Double(side) / Double(max(size.width, size.height, 1)))
            let least = { (pixels: Int) in max(1, Int((Double(pixels) * scale).rounded()) - 1) }
            return PixelSize(width: least(size.width), height: least(size.height))
        }
    }

    /// Finds the attachments of a folder, except hidden files.
    package static func all(
        in folder: URL, filter: String = ""
    ) throws(BenchmarkError) -> [BenchmarkFile] {
        // Enumerators do not follow symbolic links, not even the root.
        let folder = folder.resolvingSymlinksInPath()
        guard
            let found = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: [.isRegularFileKey],
                options: .skipsHiddenFiles)
        else { throw BenchmarkError("\(folder.path) cannot be read") }
        let root = folder.path
        let names = found.compactMap { ($0 as? URL)?.resolvingSymlinksInPath() }
            .filter { extensions.contains($0.pathExtension.lowercased()) }
            .map { String($0.path.dropFirst(root.count + 1)) }
            .filter { filter.isEmpty || $0.contains(filter) }
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        guard !names.isEmpty else {
            throw BenchmarkError(
                "no attachments in \(folder.path)"
                    + (filter.isEmpty ? "; make some with make bench-corpus" : " for --filter"))
        }
        return names.map { BenchmarkFile($0, in: folder) }
    }

    private static let extensions: Set = [
        "jpg", "jpeg", "png", "apng", "webp", "heic", "avif", "tif", "tiff", "gif",
        "aif", "aiff", "wav", "mp3", "m4a", "mpg", "mpeg", "mp4", "m4v", "mov", "avi",
    ]
}
