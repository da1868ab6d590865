/// What came of a change to a payload that must not grow past a limit.
public struct PayloadEdit: Sendable, Hashable {
    /// What became of the change.
    public enum Outcome: String, Sendable, CaseIterable {
        /// All of it was made.
        case complete
        /// It was made without the fields that are listed as left out.
        case reduced
        /// Nothing was changed: the payload would have grown past the limit.
        case noRoom = "no-room"
        /// Nothing was changed: the payload was past the limit already.
        case alreadyTooLarge = "already-too-large"
        /// Nothing was changed: the payload has a value of its own where the change belongs.
        case occupied
    }

    /// The payload, changed or as it was.
    public let payload: APNsPayload
    /// What became of the change.
    public let outcome: Outcome
    /// The fields of the note that were left out for want of room, in the order in which they went.
    public let omitted: [DeliveryNote.Field]
    /// The limit that was kept, in bytes.
    public let limit: Int

    /// What happened, in a sentence without its full stop; nil when all of the change was made.
    public var explanation: String? {
        switch outcome {
        case .complete: nil
        case .reduced:
            "to stay within \(limit) bytes the payload goes without "
                + omitted.map(\.rawValue).joined(separator: ", ")
        case .noRoom: "the payload has no room for more within \(limit) bytes"
        case .alreadyTooLarge:
            "the payload has \(payload.size) bytes, more than the \(limit) that APNs takes"
        case .occupied: "the payload has another value where this belongs"
        }
    }
}

extension PayloadEdit: CustomStringConvertible {
    /// What happened.
    public var description: String { explanation ?? outcome.rawValue }
}
