/// A title, subtitle or body: what it says, or the key under which the app's own language has it.
public struct NotificationText: Sendable, Hashable {
    /// What it says; nil when it is only a key.
    public var text: String?
    /// The key into the app's `Localizable.strings`; nil when it is only a text.
    public var localisationKey: String?
    /// What takes the place of the format specifiers of the localised text, in order; nothing
    /// without a key.
    public var localisationArguments: [String]

    /// Makes a text.
    ///
    /// - Parameters:
    ///   - text: What it says. The default is nothing.
    ///   - localisationKey: The key into the app's `Localizable.strings`. The default is none.
    ///   - localisationArguments: What takes the place of its format specifiers. The default is
    ///     nothing.
    public init(
        _ text: String? = nil, localisationKey: String? = nil, localisationArguments: [String] = []
    ) {
        self.text = text
        self.localisationKey = localisationKey
        self.localisationArguments = localisationArguments
    }

    /// Whether there is something to show.
    public var isEmpty: Bool { (text ?? "").isEmpty && (localisationKey ?? "").isEmpty }
}

extension NotificationText: CustomStringConvertible {
    /// Which forms there are, without the text, which is private.
    public var description: String {
        switch (text, localisationKey) {
        case (nil, nil): "no text"
        case (_?, nil): "text"
        case (nil, _?): "localised text"
        case (_?, _?): "text and localised text"
        }
    }
}
