public import Foundation

/// The time of day, which a clock that is set forward does not advance.
///
/// Ages of files are measured by it: after a jump of hours, a file that was just used would look unused
/// for hours, and be removed. The result is never later than the system's clock. After a jump forward it
/// stays behind by as much, so that files of before are kept that much longer; after a jump back it
/// follows.
public final class SteadyClock: Sendable {
    /// The clock of this process; it only has the state of a clock.
    public static let process = SteadyClock()

    /// Longest advance over the elapsed time that is no jump, in seconds: the clock is being slewed.
    private static let tolerance = 1.0

    private let time: @Sendable () -> (date: Date, instant: ContinuousClock.Instant)
    private let last: Lock<(date: Date, instant: ContinuousClock.Instant)>

    package init(
        _ time: @escaping @Sendable () -> (date: Date, instant: ContinuousClock.Instant) = {
            (Date(), .now)
        }
    ) {
        self.time = time
        last = Lock(time())
    }

    /// The time; looks at it between two jumps let both be noticed.
    public var now: Date {
        last.withLock { last in
            let (date, instant) = time()
            let expected = last.date + last.instant.duration(to: instant) / .seconds(1)
            let now = date > expected + Self.tolerance ? expected : date
            last = (now, instant)
            return now
        }
    }
}
