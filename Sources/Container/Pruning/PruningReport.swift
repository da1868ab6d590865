/// Totals of a pruning.
public struct PruningReport: Sendable, Hashable, Codable {
    /// True if nothing was changed, and `removed` and `after` are predictions.
    public let isDryRun: Bool
    /// Totals before pruning.
    public internal(set) var before = Holdings()
    /// Totals after pruning.
    public internal(set) var after = Holdings()
    /// Removed files by reason; reasons without removals are absent.
    public internal(set) var removed: [PruningReason: Tally] = [:]
    /// Number of pinned notifications.
    public internal(set) var pinned = 0
    /// Number of notifications within the grace period.
    public internal(set) var fresh = 0
    /// Unreferenced renditions kept for their published URLs.
    public internal(set) var published = Tally()
    /// Number of files that could not be read or removed.
    public internal(set) var failures = 0
    /// True if the remaining files exceed the policy: too many are pinned, fresh or unreadable.
    public internal(set) var exceedsPolicy = false
    /// True if no rendition was removed, because an unreadable manifest may name it.
    public internal(set) var keptEveryRendition = false

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    mutating func countFound(notifications: Int = 0, renditions: Int = 0, _ length: Int) {
        before.add(notifications, renditions, length)
        after.add(notifications, renditions, length)
    }

    mutating func countRemoved(_ reason: PruningReason, _ length: Int) {
        removed[reason, default: .init()].count(length)
        switch reason {
        case .age, .count, .bytes, .damaged, .forgotten: after.add(-1, 0, -length)
        case .unreferenced: after.add(0, -1, -length)
        case .staleResult, .stalePin, .stalePublished, .staleFetched, .staleIncoming, .interrupted:
            break
        }
    }

    mutating func count(published length: Int) { published.count(length) }

    /// Total length of the removed files.
    public var removedBytes: ByteCount {
        ByteCount(removed.values.reduce(0) { $0 + $1.bytes.bytes })
    }

    /// Notifications and their files.
    public struct Holdings: Sendable, Hashable, Codable {
        /// Number of notifications, with readable manifests or not.
        public internal(set) var notifications = 0
        /// Number of renditions, referenced or not.
        public internal(set) var renditions = 0
        /// Total length of manifests and renditions.
        public internal(set) var bytes = ByteCount(0)

        fileprivate mutating func add(_ notifications: Int, _ renditions: Int, _ length: Int) {
            self.notifications += notifications
            self.renditions += renditions
            bytes = ByteCount(bytes.bytes + length)
        }
    }

    /// Number and total length of files.
    public struct Tally: Sendable, Hashable, Codable {
        /// Number of files.
        public internal(set) var files = 0
        /// Total length.
        public internal(set) var bytes = ByteCount(0)

        fileprivate mutating func count(_ length: Int) {
            files += 1
            bytes = ByteCount(bytes.bytes + length)
        }
    }
}
