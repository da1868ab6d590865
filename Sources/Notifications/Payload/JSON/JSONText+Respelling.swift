extension JSONText {
    /// Spells a changed text with the escapes of its former spelling.
    ///
    /// - Parameters:
    ///   - spelling: The bytes between the quotes of a string that the parser has validated.
    ///   - old: The text of the spelling, UTF-8.
    ///   - new: The changed text, UTF-8.
    /// - Returns: The spelling, in which only the changed part is new.
    static func respelled(
        _ spelling: ArraySlice<UInt8>, from old: [UInt8], to new: [UInt8]
    ) -> [UInt8] {
        let shorter = min(old.count, new.count)
        var head = zip(old, new).prefix { $0 == $1 }.count
        while head > 0, isContinuation(old, head) || isContinuation(new, head) { head -= 1 }
        var tail = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        tail = min(tail, shorter - head)
        while tail > 0, isContinuation(old, old.count - tail) { tail -= 1 }
        var bytes = Array(spelling[..<position(of: head, in: spelling)])
        var changed: [UInt8] = []
        encode(String(decoding: new[head..<(new.count - tail)], as: UTF8.self), into: &changed)
        bytes += changed.dropFirst().dropLast()
        return bytes + spelling[position(of: old.count - tail, in: spelling)...]
    }

    private static func isContinuation(_ text: [UInt8], _ index: Int) -> Bool {
        index < text.count && text[index] & 0xC0 == 0x80
    }

    /// The index in a spelling of the character at an offset in its text.
    private static func position(of offset: Int, in spelling: ArraySlice<UInt8>) -> Int {
        var (index, decoded) = (spelling.startIndex, 0)
        while decoded < offset, index < spelling.endIndex {
            let (length, size) = character(at: index, in: spelling)
            index += length
            decoded += size
        }
        return index
    }

    /// The length of an escape or a byte in the spelling, and in the text.
    private static func character(
        at index: Int, in spelling: ArraySlice<UInt8>
    ) -> (length: Int, size: Int) {
        guard spelling[index] == UInt8(ascii: "\\") else { return (1, 1) }
        guard spelling[index + 1] == UInt8(ascii: "u") else { return (2, 1) }
        let unit = spelling[(index + 2)..<(index + 6)].reduce(0 as UInt16) {
            $0 << 4 | UInt16($1.hexadecimalDigit ?? 0)
        }
        return switch unit {
        case 0..<0x80: (6, 1)
        case 0x80..<0x800: (6, 2)
        // Half of a surrogate pair, whose other half follows.
        case 0xD800..<0xDC00: (12, 4)
        default: (6, 3)
        }
    }
}
