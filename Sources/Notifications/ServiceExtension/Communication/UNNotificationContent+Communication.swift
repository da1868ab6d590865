#if canImport(UserNotifications) && canImport(Intents)
    import Foundation
    import Intents
    import NotificationDelivery
    public import UserNotifications

    extension UNNotificationContent {
        /// Returns a communication notification, which shows the sender's avatar in place of the app's
        /// icon.
        ///
        /// - Parameters:
        ///   - sender: The person that the notification is from.
        ///   - avatar: The sender's square picture; nil for the contact's picture. The bytes are
        ///     passed on, since pictures at file URLs are missing in some set-ups
        ///     (bluesky-social#10326).
        /// - Returns: The notification, with the same texts and attachments.
        /// - Throws: The system's error.
        public func communicating(
            from sender: MessageSender, avatar: URL?
        ) throws -> UNNotificationContent {
            let image = avatar.flatMap { try? Data(contentsOf: $0) }
                .map { INImage(imageData: $0) }
            let person = INPerson(
                personHandle: INPersonHandle(value: sender.handle, type: .unknown),
                nameComponents: nil, displayName: sender.name, image: image,
                contactIdentifier: nil, customIdentifier: sender.handle)
            let intent = INSendMessageIntent(
                recipients: nil, outgoingMessageType: .outgoingMessageText, content: body,
                speakableGroupName: nil,
                conversationIdentifier: sender.conversationIdentifier ?? sender.handle,
                serviceName: nil, sender: person, attachments: nil)
            let interaction = INInteraction(intent: intent, response: nil)
            interaction.direction = .incoming
            // Without a donation the notification is shown all the same, but suggests no person.
            interaction.donate(completion: nil)
            return try updating(from: intent)
        }
    }
#endif
