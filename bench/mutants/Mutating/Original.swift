import Foundation

/// A picture that is mutated.
struct Original: Sendable {
    /// How its file is built.
    enum Structure: String, Sendable {
        case png, jpeg, riff, gif, boxes, tiff

        init?(of bytes: [UInt8]) {
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                self = .png
            } else if bytes.starts(with: [0xFF, 0xD8]) {
                self = .jpeg
            } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8)
            {
                self = .riff
            } else if bytes.starts(with: "GIF8".utf8) {
                self = .gif
            } else if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
                self = .boxes
            } else if bytes.starts(with: "II".utf8) || bytes.starts(with: "MM".utf8) {
                self = .tiff
            } else {
                return nil
            }
        }
    }

    /// The file's name.
    let name: String
    let bytes: [UInt8]
    let structure: Structure

    /// Reads the pictures of folders, and of the folders in them, in the order of their paths.
    ///
    /// - Parameters:
    ///   - folders: The folders.
    ///   - longest: The longest picture that counts, in bytes.
    /// - Returns: The pictures; what is none, by its bytes, is left out.
    /// - Throws: When a folder cannot be read.
    static func all(in folders: [URL], longest: Int) throws -> [Original] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().compactMap {
                let file = folder.appending(path: $0)
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
                guard !isFolder.boolValue else { return nil }
                let bytes = [UInt8](try Data(contentsOf: file))
                guard bytes.count <= longest, let structure = Structure(of: bytes) else {
                    return nil
                }
                return Original(name: file.lastPathComponent, bytes: bytes, structure: structure)
            }
        }
    }
}
