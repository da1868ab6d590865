/// A drawing in place of a picture that could not be obtained: a symbol above a text.
public struct PictureExplanation: Sendable, Hashable {
    /// The symbols.
    public enum Symbol: String, Sendable, CaseIterable {
        /// A camera, crossed out.
        case camera
        /// A picture, crossed out.
        case picture
        /// A closed lock, for an attachment that cannot be decrypted.
        case lock
    }

    /// The text, in the user's language; never logged.
    ///
    /// About three lines of 25 letters are shown.
    public var text: String
    /// The symbol.
    ///
    /// The default is a picture.
    public var symbol: Symbol

    /// Creates an explanation.
    ///
    /// - Parameters:
    ///   - text: The text, in the user's language.
    ///   - symbol: The symbol. The default is a picture.
    public init(_ text: String, symbol: Symbol = .picture) {
        (self.text, self.symbol) = (text, symbol)
    }
}

extension PictureExplanation: CustomStringConvertible, CustomDebugStringConvertible {
    /// The symbol, without the text, which may be private.
    public var description: String { "explanation with the symbol \(symbol.rawValue)" }

    /// The same as the description.
    public var debugDescription: String { description }
}
