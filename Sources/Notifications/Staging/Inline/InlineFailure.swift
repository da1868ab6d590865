public import AttachmentContainer
public import NotificationDelivery

/// The reason that a payload has no picture inside.
public struct InlineFailure: FaultConvertible, Sendable, Hashable {
    /// The failure: the encoder's, or one of a delivery.
    public let fault: Fault

    init(_ fault: Fault) { self.fault = fault }

    init(_ kind: DeliveryFault, _ reason: String? = nil, remedy: String? = nil) {
        fault = kind.fault(reason: reason ?? kind.finding, remedy: remedy)
    }

    /// No worker could be had.
    static let noWorker = InlineFailure(
        .unavailable, "no worker was free for the inline picture",
        remedy: "send fewer payloads at once, or allow a longer queue")

    /// The failure as a reason of an answer.
    public var reason: DeliveryReason { DeliveryReason(fault) }

    /// Reason and remedy, in one line.
    public var description: String { "\(fault.reason); \(fault.remedy)" }
}

extension DeliveryFault {
    fileprivate var finding: String {
        switch self {
        case .deadline: "the inline picture was not done before the deadline"
        case .cancelled: "it was cancelled"
        default: "the payload has no inline picture"
        }
    }
}
