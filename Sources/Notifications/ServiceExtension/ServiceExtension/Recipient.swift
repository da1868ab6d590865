#if canImport(UserNotifications)
    import AttachmentContainer
    import NotificationDelivery
    import UserNotifications

    /// The system's side of a delivery: the content to change, and the call that passes it on.
    // Sendable: the content is a private copy. Only the one call that gives the answer accesses it, after
    // the requesting thread has released it.
    struct Recipient: @unchecked Sendable {
        let content: UNMutableNotificationContent
        let hidesThumbnail: Bool
        let sender: MessageSender?
        let container: SharedContainer
        let contentHandler: (UNNotificationContent) -> Void

        func deliver(_ answer: DeliveryAnswer, _ observer: PictureServiceExtension.Type) {
            do {
                try content.attach(answer, hidesThumbnail: hidesThumbnail)
            } catch {
                observer.didFail(with: error)
            }
            contentHandler(communicating(answer, observer))
        }

        private func communicating(
            _ answer: DeliveryAnswer, _ observer: PictureServiceExtension.Type
        ) -> UNNotificationContent {
            #if canImport(Intents)
                guard let sender else { return content }
                do {
                    return try content.communicating(
                        from: sender, avatar: answer.avatar.map { container.url(of: $0) })
                } catch {
                    observer.didFail(with: error)
                }
            #endif
            return content
        }
    }
#endif
