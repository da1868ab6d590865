/// Limits on the contents of a container.
///
/// A notification beyond any limit is removed, the oldest first. Its age starts anew when it is
/// published or processed again; reading does not count as use. Pinned notifications and files
/// within the grace period are never removed, but they count toward the limits.
public struct PruningPolicy: Sendable, Hashable {
    /// Limit on the total bytes of manifests and renditions; nil for no limit, by default 256 MiB.
    ///
    /// Shared renditions count once.
    public let maximumBytes: ByteCount?
    /// Limit on age, at least the grace period; nil for no limit, by default 30 days.
    public let maximumAge: Duration?
    /// Limit on the number of notifications, at least 0; nil for no limit, by default 10,000.
    public let maximumCount: Int?
    /// Time during which a file stays after its publication or use, at least one second; by default
    /// an hour.
    ///
    /// A publication that reuses a rendition has to commit within it; otherwise
    /// `Publication.commit(_:)` fails if the rendition was pruned.
    public let gracePeriod: Duration

    /// Time during which a rendition's file stays after its URL was last given out; by default 7
    /// days.
    ///
    /// Such files do not count toward the limits once no notification names them.
    public let keepPublished: Duration

    /// Time during which an unchanged file stays in `incoming/`.
    let unfinishedLifetime: Duration

    /// The default of ``keepPublished``.
    public static let publishedLifetime = Duration.seconds(7 * 86_400)

    /// The default limits.
    public static let `default` = PruningPolicy(
        unchecked: .mebibytes(256), maximumAge: .seconds(30 * 86_400), maximumCount: 10_000,
        gracePeriod: SharedContainer.incomingLifetime, keepPublished: publishedLifetime)

    /// Creates a policy; omitted limits do not apply, and an invalid one is an error that names it.
    public init(
        maximumBytes: ByteCount? = nil, maximumAge: Duration? = nil, maximumCount: Int? = nil,
        gracePeriod: Duration = SharedContainer.incomingLifetime,
        keepPublished: Duration = PruningPolicy.publishedLifetime
    ) throws(SettingsError) {
        // The time resolution of file systems is two seconds (FAT) at worst, mostly nanoseconds.
        try SettingsError.check(gracePeriod >= .seconds(1), "gracePeriod", "at least 1 second")
        try SettingsError.check((maximumBytes?.bytes ?? 0) >= 0, "maximumBytes", "at least 0 bytes")
        try SettingsError.check(
            (maximumAge ?? gracePeriod) >= gracePeriod, "maximumAge", "at least the grace period")
        try SettingsError.check((maximumCount ?? 0) >= 0, "maximumCount", "at least 0")
        try SettingsError.check(keepPublished >= .zero, "keepPublished", "at least 0 seconds")
        self.init(
            unchecked: maximumBytes, maximumAge: maximumAge, maximumCount: maximumCount,
            gracePeriod: gracePeriod, keepPublished: keepPublished)
    }

    /// The limits of a forgetting: none but the grace period, which may be zero.
    init(forgettingWith gracePeriod: Duration) {
        self.init(
            unchecked: nil, maximumAge: nil, maximumCount: nil,
            gracePeriod: max(gracePeriod, .zero), keepPublished: Self.publishedLifetime,
            unfinishedLifetime: max(gracePeriod, .zero))
    }

    /// A policy that keeps every notification for a time, for pictures that are not public.
    ///
    /// The grace period is a tenth of it, at most an hour. Unfinished files of killed processes stay for the
    /// same time, at most an hour. Nothing runs by itself when the time has passed: the next pruning
    /// removes notification and files.
    ///
    /// - Parameter time: At least one minute.
    /// - Returns: The policy, with the default limits on bytes and number.
    /// - Throws: `SettingsError` naming `maximumAge` for less than a minute.
    public static func retaining(for time: Duration) throws(SettingsError) -> PruningPolicy {
        try SettingsError.check(time >= .seconds(60), "maximumAge", "at least 1 minute")
        return PruningPolicy(
            unchecked: `default`.maximumBytes, maximumAge: time,
            maximumCount: `default`.maximumCount,
            gracePeriod: min(time / 10, SharedContainer.incomingLifetime),
            keepPublished: publishedLifetime,
            unfinishedLifetime: min(time, SharedContainer.incomingLifetime))
    }

    private init(
        unchecked maximumBytes: ByteCount?, maximumAge: Duration?, maximumCount: Int?,
        gracePeriod: Duration, keepPublished: Duration,
        unfinishedLifetime: Duration = SharedContainer.incomingLifetime
    ) {
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
        self.gracePeriod = gracePeriod
        self.keepPublished = keepPublished
        self.unfinishedLifetime = unfinishedLifetime
    }
}
