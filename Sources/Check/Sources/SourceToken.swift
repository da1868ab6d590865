/// The languages of sources.
enum SourceLanguage: CaseIterable {
    case swift
    case objectiveC
    /// JavaScript and TypeScript.
    case javaScript

    /// Creates the language of a file extension; nil for another file.
    init?(fileExtension: String) {
        switch fileExtension {
        case "swift": self = .swift
        case "m", "mm", "h": self = .objectiveC
        case "js", "cjs", "mjs", "jsx", "ts", "tsx": self = .javaScript
        default: return nil
        }
    }
}

/// A token of one of these languages, in the detail that declarations of categories need.
struct SourceToken {
    let kind: Kind
    /// The line, counted from 1.
    let line: Int

    enum Kind: Equatable {
        /// A keyword or an identifier.
        case word(String)
        /// A string literal; nil if its value is not constant, as with an interpolation.
        case literal(String?)
        /// Any other character.
        case symbol(Character)
    }

    var word: String? { if case .word(let word) = kind { word } else { nil } }

    func isSymbol(_ symbol: Character) -> Bool { kind == .symbol(symbol) }
}

/// Splits a source file into tokens, without comments.
///
/// Not a compiler's lexer: numbers are words, and an operator is several symbols.
struct SourceLexer {
    let bytes: [UInt8]
    private let language: SourceLanguage
    var position = 0
    private var line = 1
    /// The last token.
    private(set) var last: SourceToken.Kind?
    /// End of the bytes that were searched for the end of a regular expression.
    var patternsEnd = 0

    /// Maximum length of a literal, in bytes; longer ones have no constant value here.
    static let literalLimit = 1024

    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        self.bytes = bytes
        self.language = language
    }

    static func tokens(of bytes: [UInt8], _ language: SourceLanguage) -> [SourceToken] {
        var lexer = SourceLexer(bytes, language)
        var tokens: [SourceToken] = []
        while let token = lexer.next() {
            lexer.last = token.kind
            tokens.append(token)
        }
        return tokens
    }

    private var isSwift: Bool { language == .swift }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private func starts(with text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + $0.count]) }
    }

    private mutating func advance(by count: Int = 1) {
        for _ in 0..<count {
            if byte() == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func next() -> SourceToken? {
        while let byte = byte() {
            if starts(with: "//") {
                while let byte = self.byte(), byte != UInt8(ascii: "\n") { position += 1 }
            } else if starts(with: "/*") {
                skipComment()
            } else if byte <= 0x20 {
                advance()
            } else {
                return token(from: byte)
            }
        }
        return nil
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                // Comments nest in Swift only.
                depth = isSwift ? depth + 1 : 1
                advance(by: 2)
            } else if starts(with: "*/") {
                depth -= 1
                advance(by: 2)
            } else {
                advance()
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func token(from byte: UInt8) -> SourceToken {
        let line = line
        let kind: SourceToken.Kind
        if byte.isInWord {
            let start = position
            while let byte = self.byte(), byte.isInWord { position += 1 }
            kind = .word(String(decoding: bytes[start..<position], as: UTF8.self))
        } else if byte == UInt8(ascii: "\"") || isSwift && startsRawLiteral {
            kind = .literal(literal())
        } else if language == .javaScript,
            byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
        {
            kind = .literal(literal(closedBy: byte))
        } else if language == .javaScript, let length = patternLength() {
            position += length
            kind = .literal(nil)
        } else if byte == UInt8(ascii: "'"), !isSwift {
            skipCharacter()
            kind = .symbol("'")
        } else {
            position += 1
            kind = .symbol(Character(Unicode.Scalar(byte)))
        }
        return SourceToken(kind: kind, line: line)
    }

    /// True at number signs that begin a raw literal of Swift.
    private var startsRawLiteral: Bool {
        guard byte() == UInt8(ascii: "#") else { return false }
        // Long rows of signs count as no literal: they would be searched again at each sign.
        return bytes[position...].prefix(16).first { $0 != UInt8(ascii: "#") }
            == UInt8(ascii: "\"")
    }

    private mutating func skipCharacter() {
        advance()
        while let byte = byte(), byte != UInt8(ascii: "'"), byte != UInt8(ascii: "\n") {
            advance(by: byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        if byte() == UInt8(ascii: "'") { advance() }
    }
}

extension SourceLexer {
    /// Reads a string literal; nil if its value is not constant, as of every template of JavaScript.
    private mutating func literal(closedBy mark: UInt8 = UInt8(ascii: "\"")) -> String? {
        var signs = 0
        while byte() == UInt8(ascii: "#") {
            signs += 1
            position += 1
        }
        let isMultiline = isSwift && starts(with: "\"\"\"")
        position += isMultiline ? 3 : 1
        let isTemplate = mark == UInt8(ascii: "`")
        var value: [UInt8]? = isTemplate ? nil : []
        while let byte = byte() {
            if byte == mark, ends(signs, isMultiline) {
                position += (isMultiline ? 3 : 1) + signs
                // The indentation of several lines is not removed here.
                return isMultiline
                    ? nil : value.flatMap { String(utf8: $0) }
            }
            // An unterminated literal ends with its line.
            if byte == UInt8(ascii: "\n"), !isMultiline, !isTemplate { return nil }
            if byte == UInt8(ascii: "\\"), hasSigns(signs, at: 1) {
                advance(by: 1 + signs)
                let escaped = escape()
                value = escaped.flatMap { escaped in value.map { $0 + escaped } }
            } else {
                value?.append(byte)
                advance()
            }
            if let count = value?.count, count > Self.literalLimit { value = nil }
        }
        return nil
    }

    private func ends(_ signs: Int, _ isMultiline: Bool) -> Bool {
        isMultiline ? starts(with: "\"\"\"") && hasSigns(signs, at: 3) : hasSigns(signs, at: 1)
    }

    private func hasSigns(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    /// Reads an escape sequence after its backslash; nil if its value is not constant or unknown.
    private mutating func escape() -> [UInt8]? {
        guard let byte = byte() else { return nil }
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"): return [byte]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "(") where language != .javaScript:
            skipInterpolation()
            return nil
        default: return nil
        }
    }

    /// Skips an interpolation, whose literals may contain quotation marks.
    private mutating func skipInterpolation() {
        var depth = 1
        while depth > 0, let byte = byte() {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if byte == UInt8(ascii: "\"") {
                skipInnerLiteral()
            } else {
                advance()
            }
        }
    }

    /// Skips a literal in an interpolation, to its end or the line's end.
    private mutating func skipInnerLiteral() {
        advance()
        while let byte = byte(), byte != UInt8(ascii: "\n") {
            advance(by: byte == UInt8(ascii: "\\") ? 2 : 1)
            if byte == UInt8(ascii: "\"") { return }
        }
    }
}
