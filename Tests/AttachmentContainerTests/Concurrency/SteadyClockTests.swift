import AttachmentContainer
import Foundation
import Testing

@Suite("A clock that is set forward", .timeLimit(.minutes(1)))
struct SteadyClockTests {
    /// Time of day and elapsed time, both set by the test.
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let state = Lock((date: 0.0, elapsed: 0.0))

        var time: (date: Date, instant: ContinuousClock.Instant) {
            let (date, elapsed) = state.withLock { ($0.date, $0.elapsed) }
            return (Date(timeIntervalSince1970: date), start + .seconds(elapsed))
        }

        /// Passes time, then sets the clock forward or back.
        func pass(_ seconds: Double, jump: Double = 0) {
            state.withLock {
                $0.date += seconds + jump
                $0.elapsed += seconds
            }
        }
    }

    private static let hour = 3600.0

    @Test("Without jumps it is the clock, also while that is slewed")
    func steady() {
        let clock = Clock()
        let steady = SteadyClock { clock.time }
        for _ in 0..<100 {
            clock.pass(10, jump: 0.005)
            #expect(steady.now == clock.time.date)
        }
    }

    @Test("After a jump forward it goes on from before, and after one back it follows")
    func jumps() {
        let clock = Clock()
        let steady = SteadyClock { clock.time }
        clock.pass(10, jump: 6 * Self.hour)
        #expect(steady.now.timeIntervalSince1970 == 10)
        clock.pass(10)
        #expect(steady.now.timeIntervalSince1970 == 20)
        // Back to the right time.
        clock.pass(10, jump: -6 * Self.hour)
        #expect(steady.now == clock.time.date)
        // Back further, and then right again: what was used meanwhile must not look hours old.
        clock.pass(10, jump: -6 * Self.hour)
        #expect(steady.now == clock.time.date)
        let used = clock.time.date
        clock.pass(10, jump: 6 * Self.hour)
        #expect(steady.now.timeIntervalSince(used) == 10)
        #expect(steady.now < clock.time.date)
    }

    @Test("A long time without a look is no jump")
    func pause() {
        let clock = Clock()
        let steady = SteadyClock { clock.time }
        clock.pass(1000 * Self.hour)
        #expect(steady.now == clock.time.date)
    }
}
