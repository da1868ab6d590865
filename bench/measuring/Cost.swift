import Foundation

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
        let before = childProcessorTime()
        let elapsed = try ContinuousClock().measure(work)
        return Cost(processor: childProcessorTime() - before, wall: elapsed / .seconds(1))
    }

    /// The processor time of all children so far that have ended and been waited for, in seconds.
    private static func childProcessorTime() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #else
            getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime]
            .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
