extension SourceLexer {
    /// Words of JavaScript before an expression; after any other word a slash divides (ECMA-262, 12.7.1 and
    /// 12.9.5).
    private static let prefixes: Set = [
        "await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return", "throw",
        "typeof", "void", "yield",
    ]

    /// Length of the regular expression that begins here, with its flags, in bytes; nil where none begins.
    ///
    /// Not a parser: a slash after a closing bracket divides, though a pattern may follow the condition of an
    /// `if`. A slash after `<` closes an element of JSX.
    mutating func patternLength() -> Int? {
        guard bytes[position] == UInt8(ascii: "/"), position >= patternsEnd, mayBeginExpression
        else { return nil }
        var isInClass = false
        var end = position + 1
        let limit = min(bytes.count, position + Self.literalLimit)
        // Bytes without an end are not searched again from the next slash, which would take quadratic time.
        defer { patternsEnd = end }
        while end < limit {
            switch bytes[end] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
            // A pattern has no line terminators, so an escape at the end of a line is no part of one.
            case UInt8(ascii: "\\") where end + 1 < limit && bytes[end + 1] >= 0x20: end += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                end += 1
                while end < limit, bytes[end].isInWord { end += 1 }
                return end - position
            default: break
            }
            end += 1
        }
        return nil
    }

    private var mayBeginExpression: Bool {
        switch last {
        case nil: true
        case .literal?: false
        case .word(let word)?: Self.prefixes.contains(word)
        case .symbol(let symbol)?: !")]}<$".contains(symbol)
        }
    }
}

extension UInt8 {
    /// True for letters, digits and underscores, and in characters outside of ASCII.
    var isInWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
