/// The braces around a position in a Swift file.
struct SwiftScopes {
    private enum Scope {
        case type(String, isText: Bool)
        case body
    }

    private var stack: [Scope] = []
    /// The names of the types in the stack; scopes may be many, and are asked for often.
    private var names: [String] = []
    private var next: Scope?

    private static let types: Set = ["enum", "struct", "class", "extension", "actor", "protocol"]
    /// Words after `class` that declare a member, not a type.
    private static let members: Set = ["func", "var", "let", "subscript"]

    /// The innermost type; empty outside of types.
    var type: String { names.last ?? "" }

    /// True in a function, a closure or an accessor.
    var isInBody: Bool { names.count < stack.count }

    /// True directly in an enumeration whose raw values are strings.
    var isInTextEnumeration: Bool {
        if case .type(_, let isText)? = stack.last { isText } else { false }
    }

    /// Follows the token at an index.
    mutating func advance(_ tokens: [SourceToken], _ index: Int) {
        switch tokens[index].kind {
        case .symbol("{"):
            stack.append(next ?? .body)
            if case .type(let name, _)? = next { names.append(name) }
            next = nil
        case .symbol("}"):
            if case .type? = stack.popLast() { names.removeLast() }
            next = nil
        case .word(let word) where Self.types.contains(word):
            guard var name = tokens.word(at: index + 1), !Self.members.contains(name) else {
                return
            }
            var last = index + 1
            while tokens.isSymbol(".", at: last + 1), let inner = tokens.word(at: last + 2) {
                (name, last) = (inner, last + 2)
            }
            next = .type(name, isText: word == "enum" && isText(tokens, after: last + 1))
        case .word("func"), .word("init"), .symbol(";"): next = nil
        default: break
        }
    }

    /// True if `String` is in the inheritance clause before the brace.
    private func isText(_ tokens: [SourceToken], after start: Int) -> Bool {
        for token in tokens[min(start, tokens.count)...].prefix(32) {
            if token.isSymbol("{") { return false }
            if token.word == "String" { return true }
        }
        return false
    }
}
