/// A notification: what it says, how it is presented, and what is attached to it.
///
/// On a server it is read from an APNs payload (``APNsPayload``); on a device it is made from the
/// system's own content.
public struct NotificationContent: Sendable, Hashable {
    /// The notification's identifier, which is private.
    public var identifier: String
    /// The category, which picks the content extension; it is compared to the letter.
    public var categoryIdentifier: String?
    /// The thread that the notification is grouped into.
    public var threadIdentifier: String?
    /// The title; nil when there is none.
    public var title: NotificationText?
    /// The line below the title; nil when there is none.
    public var subtitle: NotificationText?
    /// The message; nil when there is none.
    public var body: NotificationText?
    /// What is heard.
    public var sound: NotificationSound
    /// The number on the app's icon; nil leaves it as it is, and zero removes it.
    public var badge: Int?
    /// The picture or storyboard that the app launches with; nil for the usual one.
    public var launchImageName: String?
    /// The sender's own keys, in their order: all that stands beside `aps`.
    public var userInfo: [JSONMember]
    /// The attachments, in their order.
    public var attachments: [AttachmentReference]
    /// Whether the system hands the notification to a service extension before delivery.
    public var isMutable: Bool
    /// Whether the notification shows something: without it no extension is called.
    public var hasAlert: Bool
    /// How urgently it asks for attention; nil when it does not say.
    public var interruptionLevel: InterruptionLevel?
    /// Its weight in the summary, from 0 to 1; nil when it does not say.
    public var relevanceScore: Double?

    /// Makes a notification.
    ///
    /// - Parameters:
    ///   - identifier: The notification's identifier.
    ///   - categoryIdentifier: The category. The default is none.
    ///   - threadIdentifier: The thread. The default is none.
    ///   - title: The title. The default is none.
    ///   - subtitle: The line below the title. The default is none.
    ///   - body: The message. The default is none.
    ///   - sound: What is heard. The default is nothing.
    ///   - badge: The number on the app's icon. The default leaves it as it is.
    ///   - launchImageName: The picture that the app launches with. The default is the usual one.
    ///   - userInfo: The sender's own keys. The default is none.
    ///   - attachments: The attachments. The default is none.
    ///   - isMutable: Whether a service extension may change it. The default is that one may.
    ///   - hasAlert: Whether it shows something. The default is whether title, subtitle or body do.
    ///   - interruptionLevel: How urgently it asks for attention. The default is not to say.
    ///   - relevanceScore: Its weight in the summary. The default is not to say.
    public init(
        identifier: String, categoryIdentifier: String? = nil, threadIdentifier: String? = nil,
        title: NotificationText? = nil, subtitle: NotificationText? = nil,
        body: NotificationText? = nil, sound: NotificationSound = .none, badge: Int? = nil,
        launchImageName: String? = nil, userInfo: [JSONMember] = [],
        attachments: [AttachmentReference] = [], isMutable: Bool = true, hasAlert: Bool? = nil,
        interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil
    ) {
        self.identifier = identifier
        self.categoryIdentifier = categoryIdentifier
        self.threadIdentifier = threadIdentifier
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.sound = sound
        self.badge = badge
        self.launchImageName = launchImageName
        self.userInfo = userInfo
        self.attachments = attachments
        self.isMutable = isMutable
        self.hasAlert = hasAlert ?? [title, subtitle, body].contains { $0?.isEmpty == false }
        self.interruptionLevel = interruptionLevel
        self.relevanceScore = relevanceScore
    }
}

extension NotificationContent: CustomStringConvertible, CustomDebugStringConvertible {
    /// What kind of notification it is, without its identifier and text, which are private.
    public var description: String {
        "notification with \(attachments.count) attachments"
            + (categoryIdentifier == nil ? ", no category" : "")
            + (isMutable ? "" : ", not mutable") + (hasAlert ? "" : ", no alert")
    }

    /// What kind of notification it is, without its identifier and text, which are private.
    public var debugDescription: String { description }
}
