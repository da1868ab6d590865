/// Faults of a file that a decoder passes over.
package enum FaultTolerance: Sendable {
    /// No fault, as for a file that is published as it is.
    case nothing
    /// Faults that lose no pixel.
    case harmless
    /// All faults; missing and damaged pixels stay blank.
    case everything
}
