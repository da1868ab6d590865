/// Faults of a file that a decoder passes over.
package enum FaultTolerance: Sendable {
    /// None, as for a file that is published as it is.
    case nothing
    /// Those that lose no pixel.
    case harmless
    /// All; missing and damaged pixels stay blank.
    case everything
}
