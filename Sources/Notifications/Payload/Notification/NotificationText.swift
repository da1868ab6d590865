/// A title, subtitle or body, as text, localisation key or both.
public struct NotificationText: Sendable, Hashable {
    /// The text; nil if only a key is present.
    public var text: String?
    /// The key into the app's `Localizable.strings`; nil if only a text is present.
    public var localisationKey: String?
    /// The arguments for the format specifiers of the localised text, in order; unused without a key.
    public var localisationArguments: [String]

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - text: The text. The default is nil.
    ///   - localisationKey: The key into the app's `Localizable.strings`. The default is nil.
    ///   - localisationArguments: The arguments for its format specifiers. The default is empty.
    public init(
        _ text: String? = nil, localisationKey: String? = nil, localisationArguments: [String] = []
    ) {
        self.text = text
        self.localisationKey = localisationKey
        self.localisationArguments = localisationArguments
    }

    /// True if text and key are both empty or absent.
    public var isEmpty: Bool { (text ?? "").isEmpty && (localisationKey ?? "").isEmpty }
}

extension NotificationText: CustomStringConvertible {
    /// The forms present, without the private text.
    public var description: String {
        switch (text, localisationKey) {
        case (nil, nil): "no text"
        case (_?, nil): "text"
        case (nil, _?): "localised text"
        case (_?, _?): "text and localised text"
        }
    }
}
