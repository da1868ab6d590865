/// What a pruning came to.
public struct PruningReport: Sendable, Hashable, Codable {
    /// Whether nothing was changed, and `removed` and `after` say what would have been.
    public let isDryRun: Bool
    /// What there was.
    public internal(set) var before = Holdings()
    /// What there is now.
    public internal(set) var after = Holdings()
    /// What was removed, by reason; reasons for which nothing was are left out.
    public internal(set) var removed: [PruningReason: Tally] = [:]
    /// How many of the notifications are pinned.
    public internal(set) var pinned = 0
    /// How many of the notifications are younger than the grace period.
    public internal(set) var fresh = 0
    /// The renditions that no notification names and that stay because their URLs were given out.
    public internal(set) var published = Tally()
    /// How many files could not be read or removed.
    public internal(set) var failures = 0
    /// Whether what stays is more than the policy allows: too much of it is pinned, fresh or cannot
    /// be read.
    public internal(set) var exceedsPolicy = false
    /// Whether renditions were left alone, since a manifest that cannot be read may name them.
    public internal(set) var keptEveryRendition = false

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    mutating func find(notification length: Int) {
        before.add(1, 0, length)
        after.add(1, 0, length)
    }

    mutating func find(rendition length: Int) {
        before.add(0, 1, length)
        after.add(0, 1, length)
    }

    mutating func lose(_ reason: PruningReason, _ length: Int) {
        removed[reason, default: .init()].count(length)
        switch reason {
        case .age, .count, .bytes, .damaged: after.add(-1, 0, -length)
        case .unreferenced: after.add(0, -1, -length)
        case .staleResult, .stalePin, .stalePublished, .staleIncoming, .interrupted: break
        }
    }

    mutating func keep(published length: Int) { published.count(length) }

    /// The bytes of everything that was removed.
    public var removedBytes: ByteCount {
        ByteCount(removed.values.reduce(0) { $0 + $1.bytes.bytes })
    }

    /// Notifications and the files that they take.
    public struct Holdings: Sendable, Hashable, Codable {
        /// The notifications, whether or not their manifests can be read.
        public internal(set) var notifications = 0
        /// The renditions, whether or not a manifest names them.
        public internal(set) var renditions = 0
        /// The lengths of the manifests and renditions, added up.
        public internal(set) var bytes = ByteCount(0)

        fileprivate mutating func add(_ notifications: Int, _ renditions: Int, _ length: Int) {
            self.notifications += notifications
            self.renditions += renditions
            bytes = ByteCount(bytes.bytes + length)
        }
    }

    /// Files of one kind.
    public struct Tally: Sendable, Hashable, Codable {
        /// How many.
        public internal(set) var files = 0
        /// Their lengths, added up.
        public internal(set) var bytes = ByteCount(0)

        fileprivate mutating func count(_ length: Int) {
            files += 1
            bytes = ByteCount(bytes.bytes + length)
        }
    }
}
