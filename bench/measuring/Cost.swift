import AttachmentModel

/// Time spent by child processes.
package struct Cost: Sendable {
    /// User and system time of the processes and their reaped children, in seconds.
    package var processor: Double
    /// In seconds.
    package var wall: Double

    /// Measures work done by child processes.
    ///
    /// No others may run meanwhile.
    package static func measured(_ work: () throws -> Void) throws -> Cost {
        let before = ProcessorTime.ofChildren
        let elapsed = try ContinuousClock().measure(work)
        return Cost(processor: ProcessorTime.ofChildren - before, wall: elapsed / .seconds(1))
    }
}
