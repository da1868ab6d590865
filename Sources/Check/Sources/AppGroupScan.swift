/// The App Groups that a project's sources give to Thimble.
///
/// Groups with computed names are unknown, and not compared.
struct AppGroupScan {
    /// Each name once, with its first place.
    private(set) var groups: [(name: String, place: CheckReport.Place)] = []

    private mutating func insert(_ name: String?, at place: CheckReport.Place) {
        guard let name, !groups.contains(where: { $0.name.isIdentical(to: name) }) else { return }
        // Three targets need one; a limit keeps the search short.
        guard groups.count < 100 else { return }
        groups.append((name, place))
    }

    /// Finds bodies of `var appGroup: String`, and arguments `inAppGroup:` and `appGroup:`.
    mutating func scan(
        swift tokens: [SourceToken], in file: String, _ constants: StringConstants
    ) {
        var scopes = SwiftScopes()
        for index in tokens.indices {
            scopes.advance(tokens, index)
            let expression: ArraySlice<SourceToken>
            switch tokens[index].word {
            case "appGroup" where tokens.word(at: index - 1) == "var":
                guard tokens.isSymbol(":", at: index + 1), tokens.word(at: index + 2) == "String",
                    tokens.isSymbol("{", at: index + 3)
                else { continue }
                let start = tokens.word(at: index + 4) == "return" ? index + 5 : index + 4
                guard start <= tokens.count else { continue }
                expression = tokens.arguments(from: start)
            case "inAppGroup", "appGroup":
                guard tokens.isSymbol("(", at: index - 1), tokens.isSymbol(":", at: index + 1)
                else { continue }
                expression = tokens.arguments(from: index + 2).firstArgument
            default: continue
            }
            insert(
                constants.value(of: expression, in: file, type: scopes.type),
                at: CheckReport.Place(file, line: tokens[index].line))
        }
    }

    /// Finds messages of `initWithAppGroup:`.
    mutating func scan(
        objectiveC tokens: [SourceToken], in file: String, _ constants: StringConstants
    ) {
        for index in tokens.indices
        where tokens.word(at: index) == "initWithAppGroup" && tokens.isSymbol(":", at: index + 1) {
            insert(
                constants.value(ofArgument: tokens, at: index + 2, in: file),
                at: CheckReport.Place(file, line: tokens[index].line))
        }
    }

    /// The key of the App Groups in entitlements, as a literal.
    static let entitlement = SourceToken.Kind.literal("com.apple.security.application-groups")

    /// Finds constants `appGroup`, as in the config plugin of `thimble init`, and lists under the key of
    /// entitlements, as in configurations of targets.
    mutating func scan(javaScript tokens: [SourceToken], in file: String) {
        for index in tokens.indices {
            var literals: ArraySlice<SourceToken> = []
            if tokens.word(at: index) == "appGroup", tokens.isSymbol("=", at: index + 1),
                ["const", "let", "var"].contains(tokens.word(at: index - 1))
            {
                literals = tokens[(index + 2)...].prefix(1)
            } else if tokens[index].kind == Self.entitlement, tokens.isSymbol(":", at: index + 1),
                tokens.isSymbol("[", at: index + 2)
            {
                literals = tokens.arguments(from: index + 3)
            }
            for token in literals {
                guard case .literal(let name) = token.kind else { continue }
                insert(name, at: CheckReport.Place(file, line: token.line))
            }
        }
    }
}
