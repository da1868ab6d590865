extension [SourceToken] {
    /// The tokens up to the end of a call or of a body, at most 500.
    func arguments(from start: Int) -> ArraySlice<SourceToken> {
        var depth = 0
        let tail = self[start...].prefix(500)
        for (index, token) in zip(tail.indices, tail) {
            switch token.kind {
            case .symbol("("), .symbol("["), .symbol("{"): depth += 1
            case .symbol(")"), .symbol("]"), .symbol("}"):
                guard depth > 0 else { return self[start..<index] }
                depth -= 1
            default: break
            }
        }
        return tail
    }
}

extension ArraySlice<SourceToken> {
    /// The tokens of the first argument.
    var firstArgument: ArraySlice<SourceToken> {
        var depth = 0
        for (index, token) in zip(indices, self) {
            switch token.kind {
            case .symbol("("), .symbol("["), .symbol("{"): depth += 1
            case .symbol(")"), .symbol("]"), .symbol("}"): depth -= 1
            case .symbol(",") where depth == 0: return self[..<index]
            default: break
            }
        }
        return self
    }
}

extension StringConstants {
    /// The value of a literal, or of a constant named by words and full stops; nil if unknown.
    func value(of expression: ArraySlice<SourceToken>, in file: String, type: String) -> String? {
        if expression.count == 1, case .literal(let value)? = expression.first?.kind {
            return value
        }
        var path: [String] = []
        for (offset, token) in expression.enumerated() {
            if offset % 2 == 0, let word = token.word {
                path.append(word)
            } else if offset % 2 == 0 || !token.isSymbol(".") {
                return nil
            }
        }
        return path.isEmpty ? nil : value(of: path, in: file, type: type)
    }
}
