/// Exponential back-off with full jitter, so that many publishers do not return at the same moment.
struct RetryDelay: Sendable {
    private static let first = Duration.milliseconds(100)
    /// For servers that ask for fewer requests.
    private static let firstSlow = Duration.milliseconds(500)
    private static let ceiling = Duration.seconds(5)
    /// Spares a server that refuses connections.
    private static let floor = Duration.milliseconds(20)

    private var failures = 0

    /// The time to wait after one more failure.
    mutating func next(after code: StoreError.Code) -> Duration {
        let base = code == .slowDown ? Self.firstSlow : Self.first
        // 100 ms doubled six times is above the ceiling.
        let longest = min(Self.ceiling, base * (1 << min(failures, 6)))
        failures += 1
        return max(Self.floor, longest * Double.random(in: 0...1))
    }
}
