/// Sources that find pictures of notifications by code, such as those behind a log-in.
enum PictureSourceScan {
    /// True if a file overrides `picture(of:)` or `homeAssistant(for:)` of the service extension, or sets
    /// its `pictureHandler`.
    static func isFound(in tokens: [SourceToken]) -> Bool {
        tokens.indices.contains { index in
            switch tokens[index].word {
            case "picture", "homeAssistant":
                // Other modifiers may be between.
                tokens.word(at: index - 1) == "func" && tokens.isSymbol("(", at: index + 1)
                    && ["of", "for"].contains(tokens.word(at: index + 2))
                    && tokens[max(0, index - 4)..<index].contains { $0.word == "override" }
            case "pictureHandler": tokens.isSymbol("=", at: index + 1)
            default: false
            }
        }
    }
}
