package import AttachmentContainer

/// The times at which a service extension prunes, because nothing else runs on a device by itself.
package struct PruningRhythm: Sendable {
    /// Shortest time between two prunings, which read every manifest.
    private static let shortest = Duration.seconds(60)
    /// Longest time, also for policies without a maximum age.
    private static let longest = Duration.seconds(86_400)

    private var last: ContinuousClock.Instant?

    package init() {}

    /// True for the first call, and then when half of the policy's maximum age has passed, at least a
    /// minute and at most a day.
    ///
    /// - Parameters:
    ///   - policy: The policy of the pruning.
    ///   - now: The time. The default is the present.
    /// - Returns: True if a pruning is due; it then counts as done.
    package mutating func isDue(
        _ policy: PruningPolicy, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        let interval = max(
            Self.shortest, min(Self.longest, policy.maximumAge.map { $0 / 2 } ?? Self.longest))
        if let last, last.duration(to: now) < interval { return false }
        last = now
        return true
    }
}
