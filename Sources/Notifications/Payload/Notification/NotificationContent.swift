/// The texts, presentation and attachments of a notification.
///
/// On a server it comes from an APNs payload (``APNsPayload``); on a device, from the system's
/// content object.
public struct NotificationContent: Sendable, Hashable {
    /// The notification's private identifier.
    public var identifier: String
    /// The category, which selects the content extension; matched case-sensitively.
    public var categoryIdentifier: String?
    /// The thread that groups the notification.
    public var threadIdentifier: String?
    /// The title; nil if absent.
    public var title: NotificationText?
    /// The line below the title; nil if absent.
    public var subtitle: NotificationText?
    /// The message; nil if absent.
    public var body: NotificationText?
    /// The sound.
    public var sound: NotificationSound
    /// The number on the app's icon; nil leaves it unchanged, and zero removes it.
    public var badge: Int?
    /// The app's launch image or storyboard; nil for the usual one.
    public var launchImageName: String?
    /// The sender's own keys, those beside `aps`, in order.
    public var userInfo: [JSONMember]
    /// The attachments, in order.
    public var attachments: [AttachmentReference]
    /// True if a service extension may change the notification before delivery.
    public var isMutable: Bool
    /// True if the notification shows an alert.
    ///
    /// Without one, the system calls no extension.
    public var hasAlert: Bool
    /// The urgency; nil if unspecified.
    public var interruptionLevel: InterruptionLevel?
    /// The weight in the summary, from 0 to 1; nil if unspecified.
    public var relevanceScore: Double?
    /// The app's window that the notification brings forward; nil for any.
    public var targetContentIdentifier: String?
    /// The criteria by which a Focus decides on the notification; nil without any.
    public var filterCriteria: String?

    /// Creates a notification.
    ///
    /// - Parameters:
    ///   - identifier: The notification's identifier.
    ///   - categoryIdentifier: The category. The default is nil.
    ///   - threadIdentifier: The thread. The default is nil.
    ///   - title: The title. The default is nil.
    ///   - subtitle: The line below the title. The default is nil.
    ///   - body: The message. The default is nil.
    ///   - sound: The sound. The default is no sound.
    ///   - badge: The number on the app's icon. The default leaves it unchanged.
    ///   - launchImageName: The app's launch image. The default is the usual one.
    ///   - userInfo: The sender's own keys. The default is empty.
    ///   - attachments: The attachments. The default is empty.
    ///   - isMutable: True if a service extension may change the notification. The default is true.
    ///   - hasAlert: True if the notification shows an alert. The default is true if title, subtitle
    ///     or body has text.
    ///   - interruptionLevel: The urgency. The default is nil.
    ///   - relevanceScore: The weight in the summary. The default is nil.
    ///   - targetContentIdentifier: The app's window. The default is any.
    ///   - filterCriteria: The criteria of a Focus. The default is none.
    public init(
        identifier: String, categoryIdentifier: String? = nil, threadIdentifier: String? = nil,
        title: NotificationText? = nil, subtitle: NotificationText? = nil,
        body: NotificationText? = nil, sound: NotificationSound = .none, badge: Int? = nil,
        launchImageName: String? = nil, userInfo: [JSONMember] = [],
        attachments: [AttachmentReference] = [], isMutable: Bool = true, hasAlert: Bool? = nil,
        interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil,
        targetContentIdentifier: String? = nil, filterCriteria: String? = nil
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
        self.targetContentIdentifier = targetContentIdentifier
        self.filterCriteria = filterCriteria
    }
}

extension NotificationContent: CustomStringConvertible, CustomDebugStringConvertible {
    /// A summary without the private identifier and texts.
    public var description: String {
        "notification with \(attachments.count) attachments"
            + (categoryIdentifier == nil ? ", no category" : "")
            + (isMutable ? "" : ", not mutable") + (hasAlert ? "" : ", no alert")
    }

    /// A summary without the private identifier and texts.
    public var debugDescription: String { description }
}
