#if canImport(UserNotifications)
    import AttachmentContainer
    import Foundation
    import NotificationDelivery
    import NotificationPayload
    import UserNotifications

    /// The preparation of one notification by the app's code.
    // Sendable: `run` is called once, then `findSource` once, and only they use the service extension and
    // the copy. Until `run` has returned, only it uses the content to prepare. The lock publishes the
    // prepared content, which nobody changes before the answer.
    final class NotificationPreparing: @unchecked Sendable {
        /// The notification as received.
        let received: NotificationContent

        private let service: PictureServiceExtension
        private let request: UNNotificationRequest
        private let content: UNMutableNotificationContent
        private let prepared = Lock<Prepared?>(nil)
        /// A copy of the prepared content, because the answer may be given while the app looks for the
        /// picture.
        private var searched: UNNotificationContent

        struct Prepared: Sendable {
            var sender: MessageSender?
            var hidesThumbnail = false
        }

        init(
            _ service: PictureServiceExtension, _ request: UNNotificationRequest,
            _ content: UNMutableNotificationContent
        ) {
            (self.service, self.request, self.content) = (service, request, content)
            searched = request.content
            received = NotificationContent(
                content, identifier: request.identifier, style: service.payloadStyle)
        }

        func run() async throws -> RemoteDelivery.Preparation {
            try await prepare()
            let copy = content.copy() as? UNNotificationContent ?? request.content
            let notification = NotificationContent(
                copy, identifier: request.identifier, style: service.payloadStyle)
            let sender = service.sender(of: copy)
            let hidesThumbnail = service.hidesThumbnail || notification.hidesThumbnail
            prepared.withLock { $0 = Prepared(sender: sender, hidesThumbnail: hidesThumbnail) }
            searched = copy
            return RemoteDelivery.Preparation(
                notification,
                published: PublishedRendition(of: notification, notePath: service.notePath),
                inlinePicture: DeliveryNote(
                    userInfo: notification.userInfo, at: service.notePath)?.picture,
                findSource: { try await self.findSource() })
        }

        private func findSource() async throws -> PictureSource? {
            do {
                return try await service.findPicture(of: searched)
            } catch {
                type(of: service).didFail(with: error)
                throw error
            }
        }

        private func prepare() async throws {
            do {
                try await service.prepareContent(content)
            } catch {
                type(of: service).didFail(with: error)
                throw error
            }
        }

        /// The content as received.
        var original: UNNotificationContent { request.content }

        /// The content to deliver: prepared, or as received while the preparation is unfinished or failed.
        func takeContent() -> (content: UNMutableNotificationContent?, prepared: Prepared) {
            guard let prepared = prepared.withLock({ $0 }) else {
                return (
                    request.content.mutableCopy() as? UNMutableNotificationContent, Prepared()
                )
            }
            return (content, prepared)
        }
    }

    extension PictureServiceExtension {
        /// The URL under the payload's keys, or of the rendition that a server published.
        func payloadPicture(of content: UNNotificationContent) -> PictureSource? {
            let notification = NotificationContent(content, identifier: "", style: payloadStyle)
            let published = PublishedRendition(of: notification, notePath: notePath).map {
                PictureRequest($0.url, waitsUntilReady: false)
            }
            return (published ?? notification.pictureRequest).map { .request($0) }
        }
    }
#endif
