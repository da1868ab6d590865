public import NotificationDelivery
public import NotificationPayload

/// A payload without an attachment under the keys of the style.
public enum UnmatchedPayload: Sendable, Hashable {
    /// No key of the style has a value.
    case noKey(style: String)
    /// A key has a value of the wrong type.
    case wrongType(MediaMismatch)

    init(_ payload: APNsPayload, _ style: PayloadStyle) {
        self = payload.mediaMismatch(style).map { .wrongType($0) } ?? .noKey(style: style.name)
    }

    /// The reason for the outcome.
    public var reason: DeliveryReason {
        switch self {
        case .noKey(let style):
            DeliveryReason(
                .noAttachment, reason: "no key of the payload style \(style) names a picture",
                remedy: "name the key of the picture in the payload style")
        case .wrongType(let mismatch):
            DeliveryReason(
                .wrongType,
                reason: "the value of \(mismatch.path) is \(mismatch.found), not a location")
        }
    }
}
