#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import Foundation
    import UniformTypeIdentifiers
    public import UserNotifications

    /// The parts of a notification that a content extension needs, safe to pass between threads.
    ///
    /// It does not hold the notification's text.
    public struct ReceivedNotification: Sendable, Hashable {
        /// The notification's private identifier.
        public let identifier: String
        /// The first sound or movie attached; nil without one.
        public let media: Media?

        /// Copies the needed parts of a notification.
        ///
        /// - Parameter notification: The notification passed to `didReceive(_:)`.
        public init(_ notification: UNNotification) {
            identifier = notification.request.identifier
            media = notification.request.content.attachments.lazy.compactMap(Media.init).first
        }

        /// A sound or movie in the system's store.
        public struct Media: Sendable, Hashable {
            /// The file, readable only with security-scoped access.
            public let url: URL
            /// True if it has frames to show.
            public let isMovie: Bool

            init?(_ attachment: UNNotificationAttachment) {
                guard let type = UTType(attachment.type), type.conforms(to: .audiovisualContent)
                else { return nil }
                url = attachment.url
                // Audiovisual types may have frames unless they are known to be audio.
                isMovie = !type.conforms(to: .audio)
            }
        }
    }
#endif
