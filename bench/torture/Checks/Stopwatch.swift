import Foundation

/// Elapsed and processor time of an operation.
///
/// Processor time does not depend on other load.
struct Stopwatch {
    private(set) var wall = Duration.zero
    private(set) var processor = Duration.zero

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
