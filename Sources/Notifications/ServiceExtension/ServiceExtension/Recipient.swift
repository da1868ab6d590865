#if canImport(UserNotifications)
    import AttachmentContainer
    import NotificationDelivery
    import UserNotifications

    /// The system's side of a delivery: the content to change, and the call that passes it on.
    // Sendable: the system lets any thread call its handler. Only the one call that gives the answer does,
    // and takes the content.
    struct Recipient: @unchecked Sendable {
        let preparing: NotificationPreparing
        let container: SharedContainer
        let contentHandler: (UNNotificationContent) -> Void

        func deliver(_ answer: DeliveryAnswer, _ observer: PictureServiceExtension.Type) {
            let (content, prepared) = preparing.takeContent()
            guard let content else { return contentHandler(preparing.original) }
            do {
                try content.attach(answer, hidesThumbnail: prepared.hidesThumbnail)
            } catch {
                observer.didFail(with: error)
            }
            contentHandler(communicating(content, from: prepared.sender, answer, observer))
        }

        private func communicating(
            _ content: UNMutableNotificationContent, from sender: MessageSender?,
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
