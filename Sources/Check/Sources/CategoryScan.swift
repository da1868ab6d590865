/// The categories that a project's sources create.
struct CategoryScan {
    private(set) var categories = CategoryNames()
    /// The places of categories whose identifiers are computed.
    private(set) var computed: [CheckReport.Place] = []

    private mutating func insert(_ value: String?, at place: CheckReport.Place) {
        if let value {
            categories.insert(value)
        } else {
            computed.append(place)
        }
    }

    /// Finds calls of `UNNotificationCategory(identifier:…)`, and of `.init(identifier:…)` with its
    /// other labels.
    mutating func scan(
        swift tokens: [SourceToken], in file: String, _ constants: StringConstants
    ) {
        var scopes = SwiftScopes()
        for index in tokens.indices {
            scopes.advance(tokens, index)
            guard tokens.word(at: index) == "identifier", tokens.isSymbol(":", at: index + 1),
                tokens.isSymbol("(", at: index - 1),
                let callee = Self.callee(of: tokens, before: index - 1)
            else { continue }
            let call = tokens.arguments(from: index)
            let isCategory =
                callee == "UNNotificationCategory"
                || callee == "init"
                    && call.contains { $0.word == "intentIdentifiers" }
            guard isCategory else { continue }
            let expression = call.dropFirst(2).firstArgument
            insert(
                constants.value(of: expression, in: file, type: scopes.type),
                at: CheckReport.Place(file, line: tokens[index].line))
        }
    }

    /// The name of the called type or function.
    private static func callee(of tokens: [SourceToken], before index: Int) -> String? {
        guard let word = tokens.word(at: index - 1) else { return nil }
        guard word == "init", tokens.isSymbol(".", at: index - 2) else { return word }
        return tokens.word(at: index - 3) == "UNNotificationCategory"
            ? "UNNotificationCategory" : "init"
    }

    /// Finds messages of `categoryWithIdentifier:`.
    mutating func scan(
        objectiveC tokens: [SourceToken], in file: String, _ constants: StringConstants
    ) {
        for index in tokens.indices
        where tokens.word(at: index) == "categoryWithIdentifier"
            && tokens.isSymbol(":", at: index + 1)
            // A parenthesis begins a parameter's type, in a declaration.
            && !tokens.isSymbol("(", at: index + 2)
        {
            insert(
                constants.value(ofArgument: tokens, at: index + 2, in: file),
                at: CheckReport.Place(file, line: tokens[index].line))
        }
    }

    /// Finds calls of `setNotificationCategoryAsync` of `expo-notifications`.
    mutating func scan(
        javaScript tokens: [SourceToken], in file: String, _ constants: StringConstants
    ) {
        for index in tokens.indices
        where tokens.word(at: index) == "setNotificationCategoryAsync"
            && tokens.isSymbol("(", at: index + 1) && tokens.word(at: index - 1) != "function"
        {
            let expression = tokens.arguments(from: index + 2).firstArgument
            insert(
                constants.value(of: expression, in: file, type: ""),
                at: CheckReport.Place(file, line: tokens[index].line))
        }
    }
}
