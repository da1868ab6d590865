extension JSONParser {
    mutating func string() throws(PayloadError) {
        position += 1
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0: throw fault(.nul, "it contains a NUL byte")
            case 1..<0x20: throw fault(.controlCharacter, "a control character is not escaped")
            case 0x20..<0x80: position += 1
            default: try multibyteCharacter()
            }
        }
        throw unexpected("the rest of a string")
    }

    private mutating func escape() throws(PayloadError) {
        let start = position
        position += 1
        switch peek {
        case nil: throw unexpected("the rest of an escape")
        case UInt8(ascii: "u"):
            position += 1
            let unit = try hexadecimalUnit()
            switch unit {
            case 0xD800..<0xDC00:
                // A low surrogate must follow. Checking each byte tells truncation from a wrong half.
                for expected in #"\u"#.utf8 {
                    guard let byte = peek else { throw unexpected("the rest of a surrogate pair") }
                    guard byte == expected else { throw loneSurrogate(at: start) }
                    position += 1
                }
                guard (0xDC00..<0xE000).contains(try hexadecimalUnit()) else {
                    throw loneSurrogate(at: start)
                }
            case 0xDC00..<0xE000: throw loneSurrogate(at: start)
            default: break
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        default: throw fault(.invalidEscape, "the escape is not valid JSON")
        }
    }

    private mutating func hexadecimalUnit() throws(PayloadError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek else { throw unexpected("four hexadecimal digits") }
            guard let digit = byte.hexadecimalDigit else {
                throw fault(.invalidEscape, "the escape lacks four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private func loneSurrogate(at offset: Int) -> PayloadError {
        PayloadError(.loneSurrogate, at: offset, reason: "a surrogate is unpaired")
    }

    /// Skips a well-formed character of two to four bytes (Unicode Standard, table 3-7): no overlong
    /// form, no surrogate, nothing above U+10FFFF.
    private mutating func multibyteCharacter() throws(PayloadError) {
        let start = position
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[position] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        default: throw fault(.invalidUTF8, "the bytes are not UTF-8")
        }
        for index in 1..<length {
            position = start + index
            guard let byte = peek else { throw unexpected("the rest of a character") }
            guard (index == 1 ? second : 0x80...0xBF).contains(byte) else {
                throw PayloadError(.invalidUTF8, at: start, reason: "the bytes are not UTF-8")
            }
        }
        position = start + length
    }

    /// Parses a number (RFC 8259, section 6).
    mutating func number() throws(PayloadError) {
        if peek == UInt8(ascii: "-") { position += 1 }
        if peek == UInt8(ascii: "0") {
            position += 1
            if let byte = peek, byte.isDigit {
                throw fault(.invalidNumber, "a number has a leading zero")
            }
        } else {
            try digits()
        }
        if peek == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(PayloadError) {
        guard let first = peek else { throw unexpected("a digit") }
        guard first.isDigit else { throw fault(.invalidNumber, "a digit of a number is missing") }
        while let byte = peek, byte.isDigit { position += 1 }
    }
}

extension UInt8 {
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
