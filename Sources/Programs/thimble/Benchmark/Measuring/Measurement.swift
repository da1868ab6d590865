internal import AttachmentContainer

/// Measurements of one run of a command.
struct Measurement: Sendable, Hashable, Codable {
    enum Ending: Sendable, Hashable, Codable {
        case exited(Int32)
        case signalled(Int32)
        case timedOut
    }

    var ending: Ending
    /// Highest total footprint of the measured processes.
    var peakFootprint: ByteCount
    /// Highest total footprint of the other processes; nil if all are measured.
    var besidePeak: ByteCount?
    /// Highest resident set of a measured process, from the kernel.
    var maximumResident: ByteCount
    /// In seconds.
    var wall: Double
    /// User and system time of all processes, in seconds.
    var processor: Double
    /// Number of processes killed for the cap.
    var kills: Int
    /// Last line of standard error.
    var complaint: String
    /// False if a busy machine kept the measuring thread waiting, so that peaks may have gone unnoticed.
    ///
    /// It is not stored.
    var isComplete = true

    private enum CodingKeys: CodingKey {
        case ending, peakFootprint, besidePeak, maximumResident, wall, processor, kills, complaint
    }
}

extension Measurement {
    /// A run that could not start.
    init(notStarted reason: String) {
        // Exit code of shells for a command that cannot be run.
        self.init(
            ending: .exited(127), peakFootprint: ByteCount(0), besidePeak: nil,
            maximumResident: ByteCount(0), wall: 0, processor: 0, kills: 0, complaint: reason)
    }
}
