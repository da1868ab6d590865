#if canImport(UserNotifications)
    import AttachmentContainer
    import CoreGraphics
    public import Foundation
    public import NotificationDelivery
    import NotificationPayload
    public import UserNotifications

    extension UNMutableNotificationContent {
        /// Puts a picture through the stage and attaches what comes out, for a local notification.
        ///
        /// The content extension then finds its renditions under the identifier, as it does those of
        /// a remote one:
        ///
        /// ```swift
        /// let content = UNMutableNotificationContent()
        /// content.title = "Pick of the day"
        /// content.categoryIdentifier = "daily-pick"
        /// try await content.attach(picture, identifier: identifier, through: stage)
        /// let request = UNNotificationRequest(
        ///     identifier: identifier, content: content, trigger: trigger)
        /// try await UNUserNotificationCenter.current().add(request)
        /// ```
        ///
        /// - Parameters:
        ///   - picture: The file, which is only read.
        ///   - identifier: The identifier that the request will have.
        ///   - stage: What makes the renditions, within its own deadline.
        /// - Returns: What became of the picture. Without one, the notification can be scheduled all
        ///   the same.
        /// - Throws: What the system has against the file that came out; then nothing is attached.
        @discardableResult
        public func attach(
            _ picture: URL, identifier: String, through stage: DeliveryStage
        ) async throws -> DeliveryAnswer {
            let notification = NotificationContent(self, identifier: identifier)
            let answer = await stage.deliver(
                DeliveryRequest(notification, attachment: .file(picture)))
            try attach(answer)
            return answer
        }

        /// Attaches the picture of an answer, if it has one, before what is attached already.
        ///
        /// The system moves the file away; one that it refuses is removed.
        ///
        /// - Parameter answer: What became of the notification.
        /// - Throws: What the system has against the file.
        public func attach(_ answer: DeliveryAnswer) throws {
            guard let picture = answer.picture else { return }
            do {
                // Without an identifier the system makes one.
                let attachment = try UNNotificationAttachment(
                    identifier: "", url: picture, options: answer.attachmentOptions)
                attachments = [attachment] + attachments
            } catch {
                try? FileManager.default.removeItem(at: picture)
                throw error
            }
        }
    }

    extension DeliveryAnswer {
        /// What the system is told of the file.
        fileprivate var attachmentOptions: [AnyHashable: Any] {
            var options: [AnyHashable: Any] = [:]
            if let typeIdentifier {
                options[UNNotificationAttachmentOptionsTypeHintKey] = typeIdentifier
            }
            if let part = thumbnailClipping {
                options[UNNotificationAttachmentOptionsThumbnailClippingRectKey] =
                    CGRect(x: part.x, y: part.y, width: part.width, height: part.height)
                    .dictionaryRepresentation
            }
            return options
        }
    }
#endif
