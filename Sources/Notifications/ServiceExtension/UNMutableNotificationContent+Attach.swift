#if canImport(UserNotifications)
    import AttachmentContainer
    import CoreGraphics
    public import Foundation
    public import NotificationDelivery
    import NotificationPayload
    public import UserNotifications

    extension UNMutableNotificationContent {
        /// Runs a picture through the stage and attaches the result, for a local notification.
        ///
        /// The content extension finds the renditions under the identifier, as for remote notifications:
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
        ///   - picture: The file, opened only for reading.
        ///   - identifier: The identifier of the request to schedule.
        ///   - stage: The stage, which uses its own deadline.
        /// - Returns: The answer. A notification without a picture can still be scheduled.
        /// - Throws: The system's error for the file; then nothing is attached.
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

        /// Attaches an answer's picture, if any, before the existing attachments.
        ///
        /// The system moves the file. A rejected file is removed.
        ///
        /// - Parameters:
        ///   - answer: The answer of a delivery.
        ///   - hidesThumbnail: True to show the picture only in the expanded interface. The default is
        ///     false.
        /// - Throws: The system's error for the file.
        public func attach(_ answer: DeliveryAnswer, hidesThumbnail: Bool = false) throws {
            guard let picture = answer.picture else { return }
            do {
                // The system generates an identifier for an empty one.
                let attachment = try UNNotificationAttachment(
                    identifier: "", url: picture,
                    options: answer.attachmentOptions(hidesThumbnail: hidesThumbnail))
                attachments = [attachment] + attachments
            } catch {
                try? FileManager.default.removeItem(at: picture)
                throw error
            }
        }
    }

    extension DeliveryAnswer {
        fileprivate func attachmentOptions(hidesThumbnail: Bool) -> [AnyHashable: Any] {
            var options: [AnyHashable: Any] = [:]
            if let typeIdentifier {
                options[UNNotificationAttachmentOptionsTypeHintKey] = typeIdentifier
            }
            if let part = thumbnailClipping {
                options[UNNotificationAttachmentOptionsThumbnailClippingRectKey] =
                    CGRect(x: part.x, y: part.y, width: part.width, height: part.height)
                    .dictionaryRepresentation
            }
            if let thumbnailTime {
                options[UNNotificationAttachmentOptionsThumbnailTimeKey] =
                    NSNumber(value: thumbnailTime)
            }
            if hidesThumbnail {
                options[UNNotificationAttachmentOptionsThumbnailHiddenKey] = NSNumber(value: true)
            }
            return options
        }
    }
#endif
