import Foundation

/// A path relative to a folder, as the bytes that the system has: they need not be UTF-8.
struct PathBytes {
    private var bytes: [UInt8] = []

    /// The path of the folder itself.
    init() {}

    var isEmpty: Bool { bytes.isEmpty }

    /// The path of an entry of the folder at this one.
    func appending(_ name: [UInt8]) -> PathBytes {
        var path = self
        if !bytes.isEmpty { path.bytes.append(UInt8(ascii: "/")) }
        path.bytes += name
        return path
    }

    /// The path as the system has it, with its terminating zero, and as text.
    func path(in root: String) -> (name: [CChar], text: String) {
        let start = isEmpty || root == "/" ? root : root + "/"
        return (
            (Array(start.utf8) + bytes + [0]).map(CChar.init(bitPattern:)),
            start + (text ?? encoded)
        )
    }

    /// The path as text where it is UTF-8; elsewhere as no other path is spelled.
    var identifier: String { text ?? "./" + encoded }

    /// The names in the folder at this path, in no order; nil when it cannot be listed.
    func names(in root: String) -> [[UInt8]]? {
        guard let stream = opendir(path(in: root).name) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
        }
        return names
    }

    /// The bytes as text; nil when they are not UTF-8.
    private var text: String? { Self.text(of: bytes[...]) }

    private static func text(of bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// The bytes as text, percent signs and what is no character in percent-encoding (RFC 3986).
    private var encoded: String {
        var text = ""
        var rest = bytes[...]
        while let byte = rest.first {
            let character = (1...4).lazy.compactMap { Self.text(of: rest.prefix($0)) }.first
            if let character, byte != UInt8(ascii: "%") {
                text += character
                rest = rest.dropFirst(character.utf8.count)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                rest = rest.dropFirst()
            }
        }
        return text
    }
}
