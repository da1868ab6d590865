/// The result of a size-limited change to a payload.
public struct PayloadEdit: Sendable, Hashable {
    /// The outcome of a change.
    public enum Extent: String, Sendable, CaseIterable {
        /// The change is complete.
        case complete
        /// The change is complete except for the omitted fields.
        case reduced
        /// Nothing changed: the payload would exceed the limit.
        case noRoom = "no-room"
        /// Nothing changed: the payload already exceeded the limit.
        case alreadyTooLarge = "already-too-large"
        /// Nothing changed: the payload has a different value at that location.
        case occupied
    }

    /// The payload, changed or unchanged.
    public let payload: APNsPayload
    /// The outcome of the change.
    public let outcome: Extent
    /// The note's omitted fields, in the order of omission.
    public let omitted: [DeliveryNote.Field]
    /// The limit applied, in bytes.
    public let limit: Int
    /// Bytes by which the smallest change exceeds the limit; 0 if the payload was changed.
    public var missing = 0

    /// A description of the outcome, without a full stop; nil if the change is complete.
    public var explanation: String? {
        switch outcome {
        case .complete: nil
        case .reduced:
            "to stay within \(limit) bytes the payload omits "
                + omitted.map(\.rawValue).joined(separator: ", ")
        case .noRoom:
            "the payload has no room for more within \(limit) bytes: \(missing) are missing"
        case .alreadyTooLarge: "the payload has \(payload.size) bytes, over the limit of \(limit)"
        case .occupied: "the payload has a different value at this location"
        }
    }
}

extension PayloadEdit: CustomStringConvertible {
    /// The explanation, or the name of the outcome.
    public var description: String { explanation ?? outcome.rawValue }
}
