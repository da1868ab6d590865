import Foundation

/// A picture to be mutated.
struct Original: Sendable {
    /// File structure.
    enum Structure: String, Sendable {
        case png, jpeg, riff, gif, boxes, tiff, bmp
        /// JPEG XL without boxes.
        case codestream

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
            } else if ["ftyp", "JXL "].contains(where: { bytes.dropFirst(4).starts(with: $0.utf8) })
            {
                self = .boxes
            } else if bytes.starts(with: "II".utf8) || bytes.starts(with: "MM".utf8) {
                self = .tiff
            } else if bytes.starts(with: "BM".utf8) {
                self = .bmp
            } else if bytes.starts(with: [0xFF, 0x0A]) {
                self = .codestream
            } else {
                return nil
            }
        }
    }

    let name: String
    let bytes: [UInt8]
    let structure: Structure

    /// Reads the pictures of folders and subfolders, sorted by path.
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
