public import Foundation

/// A notification as a content extension received it, safe to pass between threads.
public struct ReceivedNotification: Sendable, Equatable {
    /// The notification's private identifier.
    public let identifier: String
    /// The category, which selects the content extension.
    public let categoryIdentifier: String
    /// The thread that groups the notification; empty without one.
    public let threadIdentifier: String
    /// The title; empty without one.
    public let title: String
    /// The line below the title; empty without one.
    public let subtitle: String
    /// The message; empty without one.
    public let body: String
    /// The time of delivery.
    public let date: Date
    /// The attachments, in order.
    public let attachments: [Attachment]

    private let properties: PropertyList

    /// The sender's data: a remote notification's payload, with its `aps`.
    public var userInfo: [AnyHashable: Any] { properties.values }

    /// The first sound or movie attached; nil without one.
    public var media: Attachment? { attachments.first { $0.kind == .sound || $0.kind == .movie } }

    /// Creates a notification; by default without texts, data and attachments.
    ///
    /// - Parameters:
    ///   - identifier: The notification's private identifier.
    ///   - categoryIdentifier: The category.
    ///   - threadIdentifier: The thread that groups the notification.
    ///   - title: The title.
    ///   - subtitle: The line below the title.
    ///   - body: The message.
    ///   - date: The time of delivery.
    ///   - userInfo: The sender's data: property-list values, which nobody may change any more.
    ///   - attachments: The attachments, in order.
    public init(
        identifier: String, categoryIdentifier: String = "", threadIdentifier: String = "",
        title: String = "", subtitle: String = "", body: String = "", date: Date,
        userInfo: [AnyHashable: Any] = [:], attachments: [Attachment] = []
    ) {
        self.identifier = identifier
        self.categoryIdentifier = categoryIdentifier
        self.threadIdentifier = threadIdentifier
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.date = date
        self.attachments = attachments
        properties = PropertyList(values: userInfo)
    }
}

extension ReceivedNotification {
    /// A file in the system's store.
    public struct Attachment: Sendable, Hashable {
        /// The kinds of file.
        public enum Kind: String, Sendable, CaseIterable {
            /// A picture, possibly animated.
            case picture
            /// Sound.
            case sound
            /// A movie.
            case movie
            /// Any other file.
            case other
        }

        /// The attachment's name within the notification.
        public let identifier: String
        /// The file, readable only with security-scoped access.
        public let url: URL
        /// The uniform type identifier, such as `public.jpeg`.
        public let type: String
        /// The kind of file.
        public let kind: Kind

        /// Creates an attachment.
        ///
        /// - Parameters:
        ///   - identifier: The attachment's name within the notification.
        ///   - url: The file.
        ///   - type: The uniform type identifier.
        ///   - kind: The kind of file.
        public init(identifier: String, url: URL, type: String, kind: Kind) {
            self.identifier = identifier
            self.url = url
            self.type = type
            self.kind = kind
        }
    }
}

/// A response to a notification, safe to pass between threads.
public struct ReceivedResponse: Sendable, Equatable {
    /// The action's identifier.
    public let action: String
    /// The text entered, for an action with text input; else nil.
    public let text: String?
    /// The notification that the person responded to, which need not be the latest.
    public let notification: ReceivedNotification

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - action: The action's identifier.
    ///   - text: The text entered; nil for an action without text input.
    ///   - notification: The notification that the person responded to.
    public init(action: String, text: String? = nil, notification: ReceivedNotification) {
        self.action = action
        self.text = text
        self.notification = notification
    }
}

/// Values of a property list.
// Sendable: the system copies the values of a notification, and nobody changes them afterwards.
private struct PropertyList: @unchecked Sendable, Equatable {
    let values: [AnyHashable: Any]

    static func == (left: Self, right: Self) -> Bool {
        NSDictionary(dictionary: left.values).isEqual(NSDictionary(dictionary: right.values))
    }
}
