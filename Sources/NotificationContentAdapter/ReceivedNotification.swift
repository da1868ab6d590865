#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import Foundation
    import UniformTypeIdentifiers
    public import UserNotifications

    /// What a content extension needs of a notification, free to pass between threads.
    ///
    /// It does not hold the notification's text.
    public struct ReceivedNotification: Sendable, Hashable {
        /// The notification's identifier, which is private.
        public let identifier: String
        /// The first sound or film that came with it; nil when there is none.
        public let media: Media?

        /// Takes what is needed from a notification.
        ///
        /// - Parameter notification: What the system handed to `didReceive(_:)`.
        public init(_ notification: UNNotification) {
            identifier = notification.request.identifier
            media = notification.request.content.attachments.lazy.compactMap(Media.init).first
        }

        /// A sound or a film in the system's own store.
        public struct Media: Sendable, Hashable {
            /// Where the file is: readable only inside a security-scoped access.
            public let url: URL
            /// Whether there is something to see.
            public let isMovie: Bool

            init?(_ attachment: UNNotificationAttachment) {
                guard let type = UTType(attachment.type), type.conforms(to: .audiovisualContent)
                else { return nil }
                url = attachment.url
                // What is audiovisual and not known to be sound alone may have frames.
                isMovie = !type.conforms(to: .audio)
            }
        }
    }
#endif
