enum JSONText {
    /// Decodes the bytes between the quotes of a string that the parser has validated.
    static func decoded(_ spelling: ArraySlice<UInt8>) -> String {
        guard spelling.contains(UInt8(ascii: "\\")) else {
            return String(decoding: spelling, as: UTF8.self)
        }
        var units: [UInt16] = []
        var text = ""
        var index = spelling.startIndex
        var plain = index
        // A character may consist of two escaped UTF-16 units.
        func flush(_ units: inout [UInt16], into text: inout String) {
            guard !units.isEmpty else { return }
            text += String(decoding: units, as: UTF16.self)
            units.removeAll(keepingCapacity: true)
        }
        while index < spelling.endIndex {
            guard spelling[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if plain < index {
                flush(&units, into: &text)
                text += String(decoding: spelling[plain..<index], as: UTF8.self)
            }
            let unit: UInt16
            (unit, index) = escape(in: spelling, at: index + 1)
            units.append(unit)
            plain = index
        }
        flush(&units, into: &text)
        return text + String(decoding: spelling[plain..<index], as: UTF8.self)
    }

    private static func escape(
        in spelling: ArraySlice<UInt8>, at index: Int
    ) -> (unit: UInt16, next: Int) {
        switch spelling[index] {
        case UInt8(ascii: "u"):
            let unit = spelling[(index + 1)..<(index + 5)].reduce(0 as UInt16) {
                $0 << 4 | UInt16($1.hexadecimalDigit ?? 0)
            }
            return (unit, index + 5)
        case UInt8(ascii: "b"): return (0x08, index + 1)
        case UInt8(ascii: "f"): return (0x0C, index + 1)
        case UInt8(ascii: "n"): return (0x0A, index + 1)
        case UInt8(ascii: "r"): return (0x0D, index + 1)
        case UInt8(ascii: "t"): return (0x09, index + 1)
        case let byte: return (UInt16(byte), index + 1)
        }
    }

    static func encode(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0..<0x20:
                bytes += #"\u00"#.utf8
                bytes += (byte < 0x10 ? "0" : "1").utf8
                bytes += String(byte & 15, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
