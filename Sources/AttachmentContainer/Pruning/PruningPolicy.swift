/// How much a container may hold, and for how long.
///
/// A notification goes when it is past any of the limits, the oldest first. Age is the time since a
/// notification was last published, which publishing it again starts anew, and so does processing the
/// same attachment for it again; reading leaves no trace, since a content extension may not be able
/// to write and must not wait. Pinned notifications never go, nor does anything that is younger than
/// the grace period; both count against the limits all the same.
public struct PruningPolicy: Sendable, Hashable {
    /// The most bytes that notifications may take, manifests and renditions together; nil for no
    /// limit.
    ///
    /// What several notifications share counts once. The default is 256 MiB: a thousand
    /// notifications of a quarter of a megabyte.
    public let maximumBytes: ByteCount?
    /// How long a notification is kept; nil for no limit.
    ///
    /// The default is 30 days.
    public let maximumAge: Duration?
    /// The most notifications that are kept; nil for no limit.
    ///
    /// The default is 10,000: to go through them takes about three seconds.
    public let maximumCount: Int?
    /// How long everything is left alone after it was published or used again.
    ///
    /// In that time a publication that found a rendition in the container names it in a manifest;
    /// one that takes longer is refused by `Publication.commit(_:)` if its rendition is gone. The
    /// default is an hour, where an attachment takes seconds, since its process may have been
    /// suspended meanwhile.
    public let gracePeriod: Duration

    /// How long the file of a rendition is kept after its URL was last given out, whatever becomes
    /// of its notification.
    ///
    /// Such files do not count against the limits once no notification names them. The default is
    /// 7 days.
    public let keepPublished: Duration

    /// The default of ``keepPublished``.
    public static let publishedLifetime = Duration.seconds(7 * 86_400)

    /// The default limits.
    public static let `default` = PruningPolicy(
        unchecked: .mebibytes(256), maximumAge: .seconds(30 * 86_400), maximumCount: 10_000,
        gracePeriod: SharedContainer.incomingLifetime, keepPublished: publishedLifetime)

    /// Makes a policy, with no limit but those that are given.
    ///
    /// - Parameters:
    ///   - maximumBytes: The most bytes that notifications may take, at least 0. The default is no
    ///     limit.
    ///   - maximumAge: How long a notification is kept, at least the grace period. The default is
    ///     no limit.
    ///   - maximumCount: The most notifications, at least 0. The default is no limit.
    ///   - gracePeriod: How long everything is left alone, at least one second. The default is an
    ///     hour.
    ///   - keepPublished: How long a rendition is kept after its URL was given out, at least 0. The
    ///     default is 7 days.
    /// - Throws: `PruningPolicyError` naming the first limit at fault and its range.
    public init(
        maximumBytes: ByteCount? = nil, maximumAge: Duration? = nil, maximumCount: Int? = nil,
        gracePeriod: Duration = SharedContainer.incomingLifetime,
        keepPublished: Duration = PruningPolicy.publishedLifetime
    ) throws(PruningPolicyError) {
        // File systems keep times to two seconds (FAT) at worst, most to nanoseconds.
        guard gracePeriod >= .seconds(1) else {
            throw PruningPolicyError(field: "gracePeriod", range: "at least 1 second")
        }
        guard (maximumBytes?.bytes ?? 0) >= 0 else {
            throw PruningPolicyError(field: "maximumBytes", range: "at least 0 bytes")
        }
        guard (maximumAge ?? gracePeriod) >= gracePeriod else {
            throw PruningPolicyError(field: "maximumAge", range: "at least the grace period")
        }
        guard (maximumCount ?? 0) >= 0 else {
            throw PruningPolicyError(field: "maximumCount", range: "at least 0")
        }
        guard keepPublished >= .zero else {
            throw PruningPolicyError(field: "keepPublished", range: "at least 0 seconds")
        }
        self.init(
            unchecked: maximumBytes, maximumAge: maximumAge, maximumCount: maximumCount,
            gracePeriod: gracePeriod, keepPublished: keepPublished)
    }

    private init(
        unchecked maximumBytes: ByteCount?, maximumAge: Duration?, maximumCount: Int?,
        gracePeriod: Duration, keepPublished: Duration
    ) {
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
        self.gracePeriod = gracePeriod
        self.keepPublished = keepPublished
    }
}

/// A limit of a pruning policy outside its range.
public struct PruningPolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the field of ``PruningPolicy``.
    public let field: String
    /// The values that it takes.
    public let range: String

    /// The field and its range, in a sentence without its full stop.
    public var description: String { "\(field) must be \(range)" }
}
