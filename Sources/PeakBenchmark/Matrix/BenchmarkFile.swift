package import AttachmentContainer
internal import AttachmentIntake
internal import AttachmentPlanning
package import Foundation

/// One file that every peer is given.
package struct BenchmarkFile: Sendable, Hashable, Codable {
    /// Its path, relative to the folder.
    package let name: String
    /// Its length.
    package let bytes: ByteCount
    /// Its size as seen, in pixels; nil where the header cannot be read.
    package let size: PixelSize?
    /// Whether the result must be a PNG, since something may be transparent.
    package let hasAlpha: Bool
    /// What a whole result is.
    package let kind: Kind

    /// What is made of a file.
    package enum Kind: String, Sendable, Hashable, Codable {
        /// A smaller picture.
        case picture
        /// A smaller picture; of what publishes a manifest, that says whether a still counts as
        /// less than the whole.
        case animation
        /// The same bytes: sound and movies are passed through, by what publishes them.
        case media
    }

    /// Reads a file's header.
    ///
    /// - Parameters:
    ///   - name: Its path, relative to the folder.
    ///   - folder: The folder.
    package init(_ name: String, in folder: URL) {
        self.name = name
        let path = folder.appending(path: name).path
        bytes = ByteCount(
            (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
        switch try? Probe.attachment(ofFile: path) {
        case .picture(let header):
            size = header.uprightSize
            hasAlpha = header.hasAlpha
            // A header need not tell how many frames follow; most often it is one.
            kind = header.frameCount ?? 1 > 1 ? .animation : .picture
        case .media(let header):
            (size, hasAlpha, kind) = (header.size, false, .media)
        case nil:
            (size, hasAlpha, kind) = (nil, false, .picture)
        }
    }

    /// The extension of the result.
    package var outputExtension: String { hasAlpha ? "png" : "jpg" }

    /// The size that the result must have at least: fitted into a square, never enlarged.
    ///
    /// - Parameter side: The square's side, in pixels.
    /// - Returns: The size, less one pixel of rounding a side; nil where the source's is unknown.
    func leastSize(within side: Int) -> PixelSize? {
        size.map { size in
            let scale = min(1, Double(side) / Double(max(size.width, size.height, 1)))
            let least = { (pixels: Int) in max(1, Int((Double(pixels) * scale).rounded()) - 1) }
            return PixelSize(width: least(size.width), height: least(size.height))
        }
    }

    /// Finds the attachments of a folder, hidden files left out.
    ///
    /// - Parameters:
    ///   - folder: The folder, and those in it.
    ///   - filter: What a name must contain; empty for all.
    /// - Returns: The files by name.
    /// - Throws: ``BenchmarkError`` when the folder cannot be read or has none.
    package static func all(
        in folder: URL, filter: String = ""
    ) throws(BenchmarkError) -> [BenchmarkFile] {
        // An enumerator does not follow a link, not even at its root.
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
