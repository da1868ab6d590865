/// Limits on the contents of a container.
///
/// A notification beyond any limit is removed, the oldest first. Its age starts anew when it is
/// published again, or the same attachment is processed for it again. Reading does not count as
/// use, because a content extension may lack write access and must not wait. Pinned notifications
/// and files within the grace period are never removed, but they count toward the limits.
public struct PruningPolicy: Sendable, Hashable {
    /// Limit on the total bytes of notifications, manifests and renditions together; nil for no
    /// limit.
    ///
    /// Shared renditions count once. The default is 256 MiB: a thousand notifications of a quarter
    /// of a megabyte.
    public let maximumBytes: ByteCount?
    /// Limit on a notification's age; nil for no limit.
    ///
    /// The default is 30 days.
    public let maximumAge: Duration?
    /// Limit on the number of notifications; nil for no limit.
    ///
    /// The default is 10,000: visiting them takes about three seconds.
    public let maximumCount: Int?
    /// Time during which a file stays after it was published or used.
    ///
    /// A publication that reuses a rendition has to commit within it; otherwise
    /// `Publication.commit(_:)` fails if the rendition was pruned. The default is an hour: an
    /// attachment takes seconds, but its process may be suspended meanwhile.
    public let gracePeriod: Duration

    /// Time during which a rendition's file stays after its URL was last given out, even without a
    /// notification.
    ///
    /// Such files do not count toward the limits once no notification names them. The default is
    /// 7 days.
    public let keepPublished: Duration

    /// The default of ``keepPublished``.
    public static let publishedLifetime = Duration.seconds(7 * 86_400)

    /// The default limits.
    public static let `default` = PruningPolicy(
        unchecked: .mebibytes(256), maximumAge: .seconds(30 * 86_400), maximumCount: 10_000,
        gracePeriod: SharedContainer.incomingLifetime, keepPublished: publishedLifetime)

    /// Creates a policy; omitted limits do not apply.
    ///
    /// - Parameters:
    ///   - maximumBytes: Limit on the total bytes, at least 0. The default is no limit.
    ///   - maximumAge: Limit on the age, at least the grace period. The default is no limit.
    ///   - maximumCount: Limit on the number, at least 0. The default is no limit.
    ///   - gracePeriod: Time during which used files stay, at least one second. The default is an
    ///     hour.
    ///   - keepPublished: Time during which a rendition stays after its URL was given out, at least
    ///     0. The default is 7 days.
    /// - Throws: `PruningPolicyError` naming the first limit at fault and its range.
    public init(
        maximumBytes: ByteCount? = nil, maximumAge: Duration? = nil, maximumCount: Int? = nil,
        gracePeriod: Duration = SharedContainer.incomingLifetime,
        keepPublished: Duration = PruningPolicy.publishedLifetime
    ) throws(PruningPolicyError) {
        // The time resolution of file systems is two seconds (FAT) at worst, mostly nanoseconds.
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

/// A pruning limit outside its range.
public struct PruningPolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the field of ``PruningPolicy``.
    public let field: String
    /// The valid range.
    public let range: String

    /// The field and its range, in a sentence without its full stop.
    public var description: String { "\(field) must be \(range)" }
}
