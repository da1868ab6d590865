package import Foundation
public import NotificationDelivery
public import NotificationPayload

extension RemoteDelivery {
    /// A notification that is ready to be delivered, and the search for its picture.
    public struct Preparation: Sendable {
        /// The notification.
        public var notification: NotificationContent
        /// The rendition that a server published; it counts if the source is a request for its URL.
        public var published: PublishedRendition?
        /// The picture inside the payload, which is delivered if there is no other.
        public var inlinePicture: InlinePicture?
        /// Finds the source of its picture; nil without a picture.
        ///
        /// Called once. If it fails or takes too long, the notification is delivered as prepared, with the
        /// picture inside the payload.
        public var findSource: @Sendable () async throws -> PictureSource?

        /// Draws a picture that explains the reasons of the answer: a PNG, which belongs to the receiver of
        /// the answer; nil without one.
        ///
        /// Called at most once, when the answer would have no picture although one was expected.
        package var explain: (@Sendable ([DeliveryReason]) -> URL?)?

        /// Creates a preparation whose source is yet to be found.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - published: The rendition that a server published. The default is nil.
        ///   - inlinePicture: The picture inside the payload. The default is nil.
        ///   - findSource: Finds the source of its picture; nil without a picture.
        public init(
            _ notification: NotificationContent, published: PublishedRendition? = nil,
            inlinePicture: InlinePicture? = nil,
            findSource: @escaping @Sendable () async throws -> PictureSource?
        ) {
            self.notification = notification
            self.published = published
            self.inlinePicture = inlinePicture
            self.findSource = findSource
        }

        /// Creates a preparation with a known source.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - source: The source of its picture; nil without a picture.
        ///   - published: The rendition that the source is. The default is nil.
        ///   - inlinePicture: The picture inside the payload. The default is nil.
        public init(
            _ notification: NotificationContent, source: PictureSource?,
            published: PublishedRendition? = nil, inlinePicture: InlinePicture? = nil
        ) {
            self.init(notification, published: published, inlinePicture: inlinePicture) { source }
        }
    }
}
