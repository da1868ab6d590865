/// The keychain groups in which a project's sources keep the key of sealed pictures.
struct KeychainScan {
    /// Each use with its group; nil for a computed name.
    private(set) var uses: [(group: String?, place: CheckReport.Place)] = []

    /// Finds calls of `KeychainSealingKey(accessGroup:)`.
    mutating func scan(
        swift tokens: [SourceToken], in file: String, _ constants: StringConstants
    ) {
        var scopes = SwiftScopes()
        for index in tokens.indices {
            scopes.advance(tokens, index)
            guard tokens[index].word == "accessGroup", tokens.isSymbol(":", at: index + 1),
                tokens.isSymbol("(", at: index - 1),
                tokens.word(at: index - 2) == "KeychainSealingKey",
                // Two targets use it; a limit keeps the comparison short.
                uses.count < 100
            else { continue }
            let group = constants.value(
                of: tokens.arguments(from: index + 2).firstArgument, in: file, type: scopes.type)
            uses.append((group, CheckReport.Place(file, line: tokens[index].line)))
        }
    }
}
