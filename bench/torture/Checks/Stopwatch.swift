import Foundation

/// What something took: by the clock on the wall, and of the processor's time.
///
/// The first is what a person waits for; the second does not depend on what else the machine does.
struct Stopwatch {
    private(set) var wall = Duration.zero
    private(set) var processor = Duration.zero

    /// Does something, and takes its time.
    init(_ body: () throws -> Void) rethrows {
        let began = Self.processorTime
        wall = try ContinuousClock().measure(body)
        processor = Self.processorTime - began
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
