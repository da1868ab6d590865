import Foundation
import ThimbleOptions

/// Both clocks of this machine at one instant.
struct ClockReading: Sendable {
    let date: Date
    let instant: ContinuousClock.Instant

    static var now: Self { Self(date: Date(), instant: .now) }

    /// The time that the clock was moved by since then; negative for backward.
    func shift(until other: Self) -> Duration {
        .seconds(other.date.timeIntervalSince(date)) - instant.duration(to: other.instant)
    }
}

/// The clock: not before the program's own file, not moved during the checks, near the store's.
struct ClockCheck: Checking {
    let start: ClockReading
    let store: OpenedStore

    /// Signed requests are refused beyond it (AWS documentation of `RequestTimeTooSkewed`).
    private static let refusedDifference = Duration.seconds(900)
    /// Networks and a date in seconds account for less.
    private static let notedDifference = Duration.seconds(30)
    /// A clock that NTP adjusts is slewed by less during the checks.
    private static let notedShift = Duration.seconds(1)
    private static let remedy = "set the clock, for example by 'timedatectl set-ntp true'"

    func diagnoses() async -> [Diagnosis] {
        let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return [
            Self.diagnosis(
                from: start, to: .now, built: attributes?[.modificationDate] as? Date,
                difference: store.clockDifference)
        ]
    }

    /// Judges readings; `difference` is positive for a store's clock that is ahead.
    static func diagnosis(
        from start: ClockReading, to end: ClockReading, built: Date?, difference: Duration?
    ) -> Diagnosis {
        let time = end.date.formatted(.iso8601)
        // Time zones do not matter; a file's time may be rounded.
        if let built, end.date < built - 60 {
            return .failed(
                "clock", "\(time) is before the program was built, \(built.formatted(.iso8601))",
                remedy: remedy)
        }
        let shift = start.shift(until: end)
        guard abs(shift) < notedShift else {
            return .warning(
                "clock", "it was moved by \(shift.seconds) during the checks",
                remedy: "let one service set the clock, and slew it; deadlines are not affected")
        }
        guard let difference else { return .ok("clock", time) }
        let found =
            "\(time), \(abs(difference).seconds) \(difference < .zero ? "ahead of" : "behind") the store's"
        if abs(difference) > refusedDifference { return .failed("clock", found, remedy: remedy) }
        if abs(difference) > notedDifference { return .warning("clock", found, remedy: remedy) }
        return .ok("clock", found)
    }

    private static func abs(_ duration: Duration) -> Duration {
        duration < .zero ? .zero - duration : duration
    }
}

extension Duration {
    fileprivate var seconds: String { "\(Int((self / .seconds(1)).rounded())) s" }
}
