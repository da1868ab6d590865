public import AttachmentModel
public import Foundation
public import NotificationPayload

/// A notification to deliver.
public struct DeliveryRequest: Sendable {
    /// The original notification.
    public var notification: NotificationContent
    /// The source of its attachment.
    public var attachment: Attachment
    /// The time by which the answer is due; nil for the stage's own deadline.
    public var deadline: ContinuousClock.Instant?
    /// The identifier of the manifest.
    ///
    /// The default is the notification's. With the picture's, a stage whose handover is
    /// ``DeliveryStage/Handover/inPlace`` answers known pictures from memory.
    public var naming = ManifestNaming.notification
    /// The identity of the attachment's bytes; nil to identify a local file when it is opened.
    ///
    /// The default is nil. A caller that has fetched the attachment may provide it.
    public var identity: PictureIdentity?
    /// The rendition that the attachment is, if a server published it; nil for other attachments.
    ///
    /// The default is nil. A file with its digest that is ready to show is then kept as it is.
    public var published: PublishedRendition?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - notification: The original notification.
    ///   - attachment: The source of its attachment.
    ///   - deadline: The time by which the answer is due. The default is the stage's own.
    public init(
        _ notification: NotificationContent, attachment: Attachment,
        deadline: ContinuousClock.Instant? = nil
    ) {
        self.notification = notification
        self.attachment = attachment
        self.deadline = deadline
    }
}

extension DeliveryRequest {
    /// The source of a notification's attachment.
    public enum Attachment: Sendable, Hashable {
        /// No attachment.
        case none
        /// A local file, opened only for reading.
        case file(URL)
        /// A file that the caller opened, wherever it lies.
        case opened(AllowedFile)
        /// An attachment that could not be obtained.
        case unavailable(DeliveryReason)
    }
}
