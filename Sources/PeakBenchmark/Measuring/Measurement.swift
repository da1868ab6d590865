package import AttachmentContainer

/// What one run of a command took.
package struct Measurement: Sendable, Hashable, Codable {
    /// How the command ended.
    package enum Ending: Sendable, Hashable, Codable {
        /// By itself, with an exit code.
        case exited(Int32)
        /// By a signal.
        case signalled(Int32)
        /// It was stopped at the time limit.
        case timedOut
    }

    /// How it ended.
    package var ending: Ending
    /// The highest footprint of all processes that count, at one time.
    package var peakFootprint: ByteCount
    /// The highest footprint of those that only stand beside; nil where all count.
    package var besidePeak: ByteCount?
    /// The highest resident set of any process that counts, as the kernel recorded it.
    package var maximumResident: ByteCount
    /// Elapsed time, in seconds.
    package var wall: Double
    /// User and system time of all processes, in seconds.
    package var processor: Double
    /// How many processes the kernel killed for the cap.
    package var kills: Int
    /// The end of what it wrote to standard error.
    package var complaint: String
}

extension Measurement {
    /// What is left of a run that did not start.
    ///
    /// - Parameter reason: Why.
    init(notStarted reason: String) {
        // What shells answer for a command that they cannot run.
        self.init(
            ending: .exited(127), peakFootprint: ByteCount(0), besidePeak: nil,
            maximumResident: ByteCount(0), wall: 0, processor: 0, kills: 0, complaint: reason)
    }
}
