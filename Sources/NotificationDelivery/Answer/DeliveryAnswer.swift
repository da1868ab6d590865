public import AttachmentContainer
public import AttachmentIntake
public import Foundation
public import NotificationPayload

/// What became of a notification: the best that there was when the answer was due.
public struct DeliveryAnswer: Sendable {
    /// The notification to deliver.
    ///
    /// Its attachments are those to attach: one, which is `picture` under the identifier of the first
    /// that came in, or none. Everything else is as it came in.
    public let notification: NotificationContent
    /// What the notification got.
    public let outcome: Outcome
    /// The file to attach, which belongs to the receiver; nil when there is none.
    ///
    /// The system moves it away when it takes it. A receiver that does not attach it removes it; what
    /// neither does is swept from the container with everything stale in it.
    public let picture: URL?
    /// The kind of file that `picture` is, told by its bytes: a uniform type identifier, for the type
    /// hint; nil when there is none.
    public let typeIdentifier: String?
    /// The part of `picture` that the small thumbnail shows; nil for what the system takes.
    public let thumbnailClipping: UnitRectangle?
    /// Why it is not better, best thing missed first; empty when it is all that was asked for.
    public let reasons: [DeliveryReason]
    /// How long it took, from the call to the answer.
    public let elapsed: Duration
}

extension DeliveryAnswer {
    /// What a notification got, best first.
    public enum Outcome: Sendable {
        /// The renditions that were asked for.
        case renditions(ProcessedAttachment)
        /// Renditions that are less than what was asked for: smaller, or made before.
        case lowerRung(Manifest)
        /// The attachment as it came.
        case original
        /// Nothing.
        case withoutPicture

        /// The case without what belongs to it, as payloads and reports name it.
        public var kind: DeliveryNote.Outcome {
            switch self {
            case .renditions: .rendition
            case .lowerRung: .lowerRung
            case .original: .original
            case .withoutPicture: .withoutPicture
            }
        }

        /// What the content extension will read; nil when the answer is not made of renditions.
        public var manifest: Manifest? {
            switch self {
            case .renditions(let processed): processed.manifest
            case .lowerRung(let manifest): manifest
            case .original, .withoutPicture: nil
            }
        }
    }
}
