#if canImport(UserNotifications)
    import AttachmentContainer
    import Foundation
    import NotificationDelivery
    import NotificationPayload
    import UserNotifications

    /// The preparation of one notification by the app's code.
    // Sendable: `run` is called once, then `findSource` once. Until `run` has returned, only it uses the
    // service extension and the content to prepare; later `findSource` and `explain` use the service
    // extension, whose methods say on which threads they are called, and read the copy, which nobody
    // changes. The lock publishes the prepared content, which nobody changes before the answer.
    final class NotificationPreparing: @unchecked Sendable {
        /// The notification as received.
        let received: NotificationContent

        private let service: PictureServiceExtension
        private let request: UNNotificationRequest
        private let content: UNMutableNotificationContent
        /// The folder for unfinished files.
        private let folder: URL
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
            _ content: UNMutableNotificationContent, folder: URL
        ) {
            (self.service, self.request, self.content) = (service, request, content)
            self.folder = folder
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
            var preparation = RemoteDelivery.Preparation(
                notification,
                published: PublishedRendition(of: notification, notePath: service.notePath),
                inlinePicture: DeliveryNote(
                    userInfo: notification.userInfo, at: service.notePath)?.picture,
                findSource: { try await self.findSource() })
            preparation.explain = { self.explain($0) }
            return preparation
        }

        private func explain(_ reasons: [DeliveryReason]) -> URL? {
            do {
                return try service.explanation(of: reasons, for: searched)?.write(into: folder)
            } catch {
                type(of: service).didFail(with: error)
                return nil
            }
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
        /// The rendition that a server published, the picture that a payload names on a server of Home
        /// Assistant, or the URL under the payload's keys.
        func payloadPicture(of content: UNNotificationContent) -> PictureSource? {
            let notification = NotificationContent(content, identifier: "", style: payloadStyle)
            let published = PublishedRendition(of: notification, notePath: notePath).map {
                PictureRequest($0.url, waitsUntilReady: false)
            }
            let request =
                published ?? homeAssistant(for: content)?.request(for: notification)
                ?? notification.pictureRequest
            return request.map { .request($0) }
        }
    }
#endif
