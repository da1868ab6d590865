/// Exponential back-off with full jitter, so that many publishers do not return at the same moment.
struct RetryDelay: Sendable {
    private static let first = Duration.milliseconds(100)
    /// For servers that ask for fewer requests.
    private static let firstSlow = Duration.milliseconds(500)
    private static let ceiling = Duration.seconds(5)
    /// Spares a server that refuses connections.
    private static let floor = Duration.milliseconds(20)

    private var failures = 0

    /// The time to wait after one more failure: no less than the server asks for.
    mutating func next(after error: StoreError) -> Duration {
        let base = error.code == .slowDown ? Self.firstSlow : Self.first
        // 100 ms doubled six times is above the ceiling.
        let longest = min(Self.ceiling, base * (1 << min(failures, 6)))
        failures += 1
        let pause = max(Self.floor, longest * Double.random(in: 0...1))
        // The jitter comes on top, because all publishers may have been asked to wait as long.
        return error.retryAfter.map { $0 + pause } ?? pause
    }
}
