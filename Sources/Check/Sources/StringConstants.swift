/// Named string constants of a project's sources.
struct StringConstants {
    private var values: [Key: Set<String>] = [:]
    /// Maximum number of values of one constant; a second one makes it ambiguous.
    private static let valueLimit = 2

    /// The number of names.
    var count: Int { values.count }

    private struct Key: Hashable {
        let name: String
        /// The type that contains the constant; empty for a global one.
        let type: String
        /// The file of a local constant; nil if it is visible elsewhere.
        let file: String?
    }

    private mutating func insert(_ value: String, _ name: String, type: String, file: String?) {
        let key = Key(name: name, type: type, file: file)
        guard values[key]?.count ?? 0 < Self.valueLimit else { return }
        values[key, default: []].insert(value)
    }

    /// Resolves a constant.
    ///
    /// - Parameters:
    ///   - path: The words of the reference, such as `Category.photo`.
    ///   - file: The file of the reference.
    ///   - type: The type that contains the reference.
    /// - Returns: The value; nil if it is unknown or ambiguous.
    func value(of path: [String], in file: String, type: String) -> String? {
        var path = path
        if path.last == "rawValue" { path.removeLast() }
        if let first = path.first, ["self", "Self"].contains(first) {
            path[0] = type
        }
        guard let name = path.last else { return nil }
        let keys: [Key]
        if path.count > 1 {
            keys = [Key(name: name, type: path[path.count - 2], file: nil)]
        } else {
            keys = [
                Key(name: name, type: "", file: file), Key(name: name, type: type, file: nil),
                Key(name: name, type: "", file: nil),
            ]
        }
        let found = keys.lazy.compactMap { values[$0] }.first
        return found?.count == 1 ? found?.first : nil
    }
}

extension StringConstants {
    /// Collects `let`, `var` and cases of enumerations in Swift.
    mutating func collect(swift tokens: [SourceToken], in file: String) {
        var scopes = SwiftScopes()
        for index in tokens.indices {
            scopes.advance(tokens, index)
            guard let keyword = tokens[index].word else { continue }
            switch keyword {
            case "let", "var":
                guard let name = tokens.word(at: index + 1),
                    let value = Self.assigned(tokens, after: index + 2)
                else { continue }
                insert(
                    value, name, type: scopes.isInBody ? "" : scopes.type,
                    file: scopes.isInBody ? file : nil)
            case "case" where scopes.isInTextEnumeration:
                for (name, value) in Self.cases(tokens, after: index + 1) {
                    insert(value, name, type: scopes.type, file: nil)
                }
            default: break
            }
        }
    }

    /// The literal that a declaration assigns; nil for any other expression.
    private static func assigned(_ tokens: [SourceToken], after start: Int) -> String? {
        var index = start
        // A type annotation of a few tokens may follow the name, such as `: Swift.String`.
        while index < min(start + 8, tokens.count), !tokens[index].isSymbol("=") {
            guard
                tokens[index].word != nil || tokens[index].isSymbol(":")
                    || tokens[index].isSymbol(".")
            else { return nil }
            index += 1
        }
        guard tokens.isSymbol("=", at: index),
            case .literal(let value?)? = tokens.kind(at: index + 1)
        else { return nil }
        let continues = ["+", ".", "?", "["].contains { tokens.isSymbol($0, at: index + 2) }
        return continues ? nil : value
    }

    /// The names and raw values of cases; a case without a raw value has its name.
    private static func cases(_ tokens: [SourceToken], after start: Int) -> [(String, String)] {
        var cases: [(String, String)] = []
        var index = start
        while let name = tokens.word(at: index) {
            index += 1
            var value: String? = name
            if tokens.isSymbol("=", at: index) {
                if case .literal(let text)? = tokens.kind(at: index + 1) {
                    value = text
                } else {
                    value = nil
                }
                index += 2
            }
            if let value { cases.append((name, value)) }
            guard tokens.isSymbol(",", at: index) else { break }
            index += 1
        }
        return cases
    }

    /// Collects `const`, `let` and `var` of JavaScript, which other files see if they are exported.
    mutating func collect(javaScript tokens: [SourceToken], in file: String) {
        for index in tokens.indices {
            guard ["const", "let", "var"].contains(tokens[index].word),
                let name = tokens.word(at: index + 1),
                let value = Self.assigned(tokens, after: index + 2)
            else { continue }
            let isExported = tokens.word(at: index - 1) == "export"
            insert(value, name, type: "", file: isExported ? nil : file)
        }
    }

    /// Collects constants and macros of Objective-C.
    mutating func collect(objectiveC tokens: [SourceToken], in file: String) {
        for index in tokens.indices {
            guard let name = tokens[index].word else { continue }
            let next = tokens.isSymbol("=", at: index + 1) ? index + 2 : index + 1
            let isMacro =
                next == index + 1 && tokens.word(at: index - 1) == "define"
                && tokens.isSymbol("#", at: index - 2)
            guard next == index + 2 || isMacro, tokens.isSymbol("@", at: next),
                case .literal(let value?)? = tokens.kind(at: next + 1),
                isMacro || tokens.isSymbol(";", at: next + 2)
            else { continue }
            insert(value, name, type: "", file: nil)
        }
    }
}

extension StringConstants {
    /// The text that a message of Objective-C has as an argument: a literal or a constant; nil for other
    /// expressions.
    func value(ofArgument tokens: [SourceToken], at index: Int, in file: String) -> String? {
        if tokens.isSymbol("@", at: index), case .literal(let value)? = tokens.kind(at: index + 1) {
            return value
        }
        // A label or the end of the message follows a single name.
        guard let name = tokens.word(at: index),
            tokens.isSymbol(":", at: index + 2) || tokens.isSymbol("]", at: index + 1)
        else { return nil }
        return value(of: [name], in: file, type: "")
    }
}

extension [SourceToken] {
    func kind(at index: Int) -> SourceToken.Kind? {
        indices.contains(index) ? self[index].kind : nil
    }

    func word(at index: Int) -> String? { indices.contains(index) ? self[index].word : nil }

    func isSymbol(_ symbol: Character, at index: Int) -> Bool {
        indices.contains(index) && self[index].isSymbol(symbol)
    }
}
