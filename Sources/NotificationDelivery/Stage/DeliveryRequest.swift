public import Foundation
public import NotificationPayload

/// A notification on its way to a person.
public struct DeliveryRequest: Sendable {
    /// The notification as it came in.
    public var notification: NotificationContent
    /// Where its attachment is.
    public var attachment: Attachment
    /// When the answer must be there; nil for the stage's own deadline from now on.
    public var deadline: ContinuousClock.Instant?

    /// Asks for one notification.
    ///
    /// - Parameters:
    ///   - notification: The notification as it came in.
    ///   - attachment: Where its attachment is.
    ///   - deadline: When the answer must be there. The default is the stage's own.
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
    /// Where the attachment of a notification is.
    public enum Attachment: Sendable, Hashable {
        /// There is none.
        case none
        /// In a local file, which is only read.
        case file(URL)
        /// There is one, and it could not be had.
        case unavailable(DeliveryReason)
    }
}
