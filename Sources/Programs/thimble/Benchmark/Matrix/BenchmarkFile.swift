internal import AttachmentContainer
internal import AttachmentModel
import AttachmentPublishing
internal import Foundation

struct BenchmarkFile: Sendable, Hashable, Codable {
    /// Path relative to the folder.
    let name: String
    let bytes: ByteCount
    /// Upright size in pixels; nil if the header cannot be read.
    let size: PixelSize?
    /// True if the result must be a PNG because of possible transparency.
    let hasAlpha: Bool
    let kind: Kind

    /// The expected result.
    enum Kind: String, Sendable, Hashable, Codable {
        /// A smaller picture.
        case picture
        /// A smaller picture.
        ///
        /// For peers with a manifest, a still counts as reduced.
        case animation
        /// The file's own bytes: peers with a container pass sound and movies through.
        case media
    }

    /// `content` is nil if the header cannot be read.
    init(_ name: String, bytes: ByteCount, _ content: InspectedAttachment.Content?) {
        self.name = name
        self.bytes = bytes
        switch content {
        case .picture(let picture):
            size = picture.uprightSize
            hasAlpha = picture.hasAlpha
            // Headers need not give the number of frames; the default is one.
            kind = picture.frameCount ?? 1 > 1 ? .animation : .picture
        case .media(let header):
            (size, hasAlpha, kind) = (header.size, false, .media)
        case nil:
            (size, hasAlpha, kind) = (nil, false, .picture)
        }
    }

    var outputExtension: String { hasAlpha ? "png" : "jpg" }

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

    /// Finds the attachments of a folder, except hidden files, and reads their headers.
    ///
    /// Damaged and unsupported attachments have no header; files of other kinds are skipped.
    static func all(
        in folder: URL, filter: String = "",
        inspecting inspect: (String) async throws -> InspectedAttachment.Content
    ) async throws(BenchmarkError) -> [BenchmarkFile] {
        var files: [BenchmarkFile] = []
        for name in try names(in: folder, filter: filter) {
            let path = folder.appending(path: name).path
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let bytes = ByteCount(attributes?[.size] as? Int ?? 0)
            do {
                files.append(BenchmarkFile(name, bytes: bytes, try await inspect(path)))
            } catch let error as AttachmentError
                where error.code == .unsupported && !FolderBatch.hasAttachmentExtension(name)
            {
                continue
            } catch {
                files.append(BenchmarkFile(name, bytes: bytes, nil))
            }
        }
        guard !files.isEmpty else { throw noAttachments(in: folder, filter) }
        return files
    }

    /// Names of the files of a folder, except hidden ones.
    static func names(in folder: URL, filter: String = "") throws(BenchmarkError) -> [String] {
        // Subpaths of a symbolic link are not listed.
        let folder = folder.resolvingSymlinksInPath()
        guard let found = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
        else { throw BenchmarkError("\(folder.path) cannot be read") }
        var names = found.filter { name in
            guard filter.isEmpty || name.firstRange(of: filter) != nil,
                !name.split(separator: "/").contains(where: { $0.hasPrefix(".") })
            else { return false }
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: folder.appending(path: name).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        names.sort { $0.precedesNumerically($1) }
        guard !names.isEmpty else { throw noAttachments(in: folder, filter) }
        return names
    }

    private static func noAttachments(in folder: URL, _ filter: String) -> BenchmarkError {
        BenchmarkError(
            "no attachments in \(folder.path)"
                + (filter.isEmpty ? "; make some with make bench-corpus" : " for --filter"))
    }
}
