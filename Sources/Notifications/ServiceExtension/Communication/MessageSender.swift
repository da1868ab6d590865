/// The person that a communication notification is from.
///
/// The app needs the entitlement `com.apple.developer.usernotifications.communication`, and
/// `INSendMessageIntent` among the `NSUserActivityTypes` of its Info.plist; otherwise the system shows
/// an ordinary notification.
public struct MessageSender: Sendable, Hashable {
    /// The app's own identifier of the person, such as an account.
    public var handle: String
    /// The name to show; nil for the name in the person's contact.
    public var name: String?
    /// The conversation, by which the system groups notifications; nil for one of the person's own.
    public var conversationIdentifier: String?

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - handle: The app's own identifier of the person.
    ///   - name: The name to show. The default is the name in the person's contact.
    ///   - conversationIdentifier: The conversation. The default is the person's own.
    public init(handle: String, name: String? = nil, conversationIdentifier: String? = nil) {
        self.handle = handle
        self.name = name
        self.conversationIdentifier = conversationIdentifier
    }
}
