import AttachmentModel

/// Time spent by child processes.
package struct Cost: Sendable {
    /// User and system time of the processes and their reaped children, in seconds.
    package var processor: Double
    /// System time, a part of `processor`.
    package var kernel: Double
    /// In seconds.
    package var wall: Double

    /// Measures work done by child processes.
    ///
    /// No others may run meanwhile.
    package static func measured(_ work: () throws -> Void) throws -> Cost {
        let (before, kernel) = (ProcessorTime.ofChildren, ProcessorTime.ofChildrenInKernel)
        let elapsed = try ContinuousClock().measure(work)
        return Cost(
            processor: ProcessorTime.ofChildren - before,
            kernel: ProcessorTime.ofChildrenInKernel - kernel, wall: elapsed / .seconds(1))
    }
}
