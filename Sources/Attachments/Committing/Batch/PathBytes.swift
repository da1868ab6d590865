import Foundation

/// Path relative to a folder, as bytes; they need not be UTF-8.
struct PathBytes {
    private var bytes: [UInt8] = []

    init() {}

    var isEmpty: Bool { bytes.isEmpty }

    func appending(_ name: [UInt8]) -> PathBytes {
        var path = self
        if !bytes.isEmpty { path.bytes.append(UInt8(ascii: "/")) }
        path.bytes += name
        return path
    }

    func path(in root: String) -> (name: [CChar], text: String) {
        let start = isEmpty || root == "/" ? root : root + "/"
        return (
            (Array(start.utf8) + bytes + [0]).map(CChar.init(bitPattern:)),
            start + (text ?? encoded)
        )
    }

    /// Text of a UTF-8 path; otherwise a unique percent-encoded spelling.
    var identifier: String { text ?? "./" + encoded }

    private var text: String? { Self.text(of: bytes[...]) }

    private static func text(of bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// Text with percent signs and invalid bytes percent-encoded (RFC 3986).
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
