extension StringProtocol {
    /// The text without percent-encoding (RFC 3986, 2.1); nil if it is malformed or not UTF-8.
    ///
    /// Not Foundation's, which links ICU into static programs, 36 MB of it.
    var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalDigit,
                let low = rest.popFirst()?.hexadecimalDigit
            else { return nil }
            bytes.append(high << 4 | low)
        }
        // `String(validating:as:)` requires iOS 18. Decoding replaces invalid bytes by U+FFFD.
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
