#if canImport(UserNotificationsUI) && canImport(UIKit)
    import UniformTypeIdentifiers
    public import UserNotifications

    extension ReceivedNotification {
        /// Copies a notification of the system's.
        ///
        /// - Parameter notification: The notification passed to `didReceive(_:)`.
        public init(_ notification: UNNotification) {
            let content = notification.request.content
            self.init(
                identifier: notification.request.identifier,
                categoryIdentifier: content.categoryIdentifier,
                threadIdentifier: content.threadIdentifier, title: content.title,
                subtitle: content.subtitle, body: content.body, date: notification.date,
                userInfo: content.userInfo,
                attachments: content.attachments.map { Attachment($0) })
        }
    }

    extension ReceivedResponse {
        /// Copies a response of the system's.
        ///
        /// - Parameter response: The response passed to `didReceive(_:completionHandler:)`.
        public init(_ response: UNNotificationResponse) {
            self.init(
                action: response.actionIdentifier,
                text: (response as? UNTextInputNotificationResponse)?.userText,
                notification: ReceivedNotification(response.notification))
        }
    }

    extension ReceivedNotification.Attachment {
        fileprivate init(_ attachment: UNNotificationAttachment) {
            self.init(
                identifier: attachment.identifier, url: attachment.url, type: attachment.type,
                kind: Kind(UTType(attachment.type)))
        }
    }

    extension ReceivedNotification.Attachment.Kind {
        fileprivate init(_ type: UTType?) {
            self =
                switch type {
                case let type? where type.conforms(to: .image): .picture
                case let type? where type.conforms(to: .audio): .sound
                // Audiovisual types may have frames unless they are known to be audio.
                case let type? where type.conforms(to: .audiovisualContent): .movie
                default: .other
                }
        }
    }
#endif
