import AttachmentFootprint

/// What child processes took, from start to end.
package struct Cost: Sendable {
    /// User and system time of the processes and of those that they waited for, in seconds.
    package var processor: Double
    /// Elapsed time, in seconds.
    package var wall: Double

    /// Measures work that is done by child processes, and by nothing else meanwhile.
    ///
    /// - Parameter work: What starts the processes and waits for them.
    /// - Returns: Their cost.
    /// - Throws: What the work throws.
    package static func measured(_ work: () throws -> Void) throws -> Cost {
        let before = ProcessorTime.ofChildren
        let elapsed = try ContinuousClock().measure(work)
        return Cost(processor: ProcessorTime.ofChildren - before, wall: elapsed / .seconds(1))
    }
}
