public import NotificationPayload

/// The texts of a drawn notification.
public struct PreviewText: Sendable, Hashable, Codable {
    /// The name of the app, which the system shows.
    public var app = "Your app"
    /// The title; nil for the app's name.
    public var title: String?
    /// The subtitle; nil without one.
    public var subtitle: String?
    /// The body; nil without one.
    public var body: String?

    /// Creates texts.
    public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// The texts of a payload; a localised text without a plain one shows its key.
    ///
    /// - Parameter content: The content of the payload.
    public init(_ content: NotificationContent) {
        self.init(
            title: content.title?.shown, subtitle: content.subtitle?.shown,
            body: content.body?.shown)
    }
}

extension NotificationText {
    fileprivate var shown: String? {
        guard let text = text ?? localisationKey, !text.isEmpty else { return nil }
        return text
    }
}
