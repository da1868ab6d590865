public import AttachmentContainer
public import AttachmentModel
public import Foundation
public import NotificationPayload

/// The result of a delivery: the best answer available when it was due.
public struct DeliveryAnswer: Sendable {
    /// The notification to deliver.
    ///
    /// Its only attachment is `picture`, under the identifier of the first original attachment; without
    /// a picture it has no attachments. All other fields are unchanged.
    public let notification: NotificationContent
    /// The outcome of the attachment.
    public let outcome: Outcome
    /// The file to attach, owned by the receiver; nil without a picture.
    ///
    /// The system moves the file when it is attached. A receiver that does not attach it should delete
    /// it; otherwise the container's sweep does.
    public let picture: URL?
    /// The uniform type identifier of `picture`, from its bytes, for the type hint; nil without a
    /// picture.
    public let typeIdentifier: String?
    /// The part of `picture` in the small thumbnail; nil for the system's default.
    public let thumbnailClipping: UnitRectangle?
    /// Reasons for a lesser answer, most important first; empty for a full one.
    public let reasons: [DeliveryReason]
    /// Time from the call to the answer.
    public let elapsed: Duration
}

extension DeliveryAnswer {
    /// The outcome of a delivery, best first.
    public enum Outcome: Sendable {
        /// The renditions requested.
        case renditions(ProcessedAttachment)
        /// Smaller or older renditions than requested.
        case lowerRung(Manifest)
        /// Renditions that the payload does not name, for lack of room for so many bytes.
        case noRoom(missing: Int)
        /// The original attachment.
        case original
        /// A drawing that explains why the attachment is missing.
        case explanation
        /// No attachment.
        case withoutPicture

        /// The case without its value, as in payloads and reports.
        public var kind: DeliveryNote.Kind {
            switch self {
            case .renditions: .rendition
            case .lowerRung: .lowerRung
            case .noRoom: .noRoom
            case .original: .original
            case .explanation: .explanation
            case .withoutPicture: .withoutPicture
            }
        }

        /// The manifest for the content extension; nil without renditions.
        public var manifest: Manifest? {
            switch self {
            case .renditions(let processed): processed.manifest
            case .lowerRung(let manifest): manifest
            case .noRoom, .original, .explanation, .withoutPicture: nil
            }
        }
    }
}

extension DeliveryAnswer {
    /// The answer for a receiver that cannot get the renditions and keeps the original.
    ///
    /// - Parameter reason: The most important reason.
    /// - Returns: The answer with the outcome ``Outcome/original``.
    package func withOriginal(because reason: DeliveryReason) -> DeliveryAnswer {
        with(.original, because: reason)
    }

    /// The answer for a receiver whose payload has no room to name the renditions.
    ///
    /// - Parameters:
    ///   - missing: The number of bytes missing.
    ///   - limit: The maximum payload size, in bytes.
    ///   - hasURL: True if the rendition has a URL, false if only the note names it.
    /// - Returns: The answer with the outcome ``Outcome/noRoom(missing:)``.
    package func withoutRoom(missing: Int, limit: Int, hasURL: Bool) -> DeliveryAnswer {
        with(
            .noRoom(missing: missing),
            because: .noRoom(missing: missing, limit: limit, hasURL: hasURL))
    }

    /// The answer with a drawing that explains its reasons in place of the attachment.
    ///
    /// - Parameter file: The drawing, a PNG owned by the receiver.
    /// - Returns: The answer with the outcome ``Outcome/explanation``.
    package func withExplanation(_ file: URL) -> DeliveryAnswer {
        let picture = (HandedFile(file, isOwned: false), AttachableType(RenditionType.png))
        return DeliveryAnswer(
            Draft(outcome: .explanation, picture: picture, reasons: reasons), of: notification,
            after: elapsed)
    }

    /// The same answer with one more reason, the most important; a reason that it has is not repeated.
    package func adding(_ reason: DeliveryReason) -> DeliveryAnswer {
        reasons.contains(reason) ? self : with(outcome, because: reason)
    }

    private func with(_ outcome: Outcome, because reason: DeliveryReason) -> DeliveryAnswer {
        DeliveryAnswer(
            notification: notification, outcome: outcome, picture: picture,
            typeIdentifier: typeIdentifier, thumbnailClipping: thumbnailClipping,
            reasons: [reason] + reasons, elapsed: elapsed)
    }
}
