extension InlinePicture {
    /// Reads a picture from a payload's text.
    ///
    /// - Parameter text: The picture in base64url (RFC 4648, section 5) without padding.
    /// - Throws: `InlinePictureError` naming what is wrong.
    public init(text: String) throws(InlinePictureError) {
        let characters = text.utf8
        guard characters.count <= Self.characters(ofBytes: Self.maximumBytes) else {
            throw InlinePictureError(.tooLong, "its text has \(characters.count) characters")
        }
        guard let bytes = Self.decoded(characters) else {
            throw InlinePictureError(.notBase64URL, "its text is not base64url without padding")
        }
        try self.init(bytes: bytes)
    }

    /// The picture in base64url without padding, which every encoder of JSON leaves alone.
    public var text: String {
        let bytes = bytes
        var text: [UInt8] = []
        text.reserveCapacity(Self.characters(ofBytes: bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0...group.count {
                text.append(Self.alphabet[value >> (18 - 6 * index) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Characters of a number of bytes in base64url without padding.
    package static func characters(ofBytes count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Most bytes that a number of characters holds.
    package static func bytes(inCharacters count: Int) -> Int { max(0, count) * 3 / 4 }

    /// Nil for another character, an impossible length, or bits beyond the last byte.
    private static func decoded(_ characters: String.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.bytes(inCharacters: characters.count))
        var (value, bits) = (0, 0)
        for character in characters {
            let digit = Int(digits[Int(character)])
            guard digit < 64 else { return nil }
            value = (value << 6 | digit) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(value >> bits & 0xFF))
            }
        }
        // A single text for each picture.
        guard bits < 6, value & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Values of characters; 255 for those outside of the alphabet.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(value) }
        return digits
    }()
}
