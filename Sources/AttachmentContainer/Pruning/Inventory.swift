import Foundation

/// Which notifications there are and which renditions they name, as pruning weighs them.
struct Inventory {
    /// A notification whose manifest can be read.
    struct Notification {
        var key: ContentDigest
        /// When it was last published.
        var published: Date
        /// The length of the manifest.
        var bytes: Int
        /// The places of its renditions.
        var renditions: [Int]
        var isPinned: Bool
    }

    /// A rendition that a manifest names, or that is there.
    struct Rendition {
        /// The path, relative to the folder of renditions.
        var file: String
        /// What the system knows of it; nil until it is found, and where it is gone.
        var stored: (bytes: Int, used: Date)?
        /// How many times manifests name it.
        var uses = 0
    }

    private(set) var notifications: [Notification] = []
    /// How many notifications there are without those that were removed.
    private(set) var count = 0
    private(set) var renditions: [Rendition] = []
    private var places: [String: Int] = [:]
    /// The renditions that stay for the sake of what is no notification now and may become one again.
    private var spared: Set<String> = []

    /// Notes a notification, and that its renditions are in use.
    mutating func note(
        _ manifest: Manifest, _ status: FileSystem.Status, isPinned: Bool
    ) {
        let named = manifest.renditions.map { place(of: $0.file) }
        for place in named { renditions[place].uses += 1 }
        notifications.append(
            Notification(
                key: manifest.key, published: status.modified, bytes: status.bytes,
                renditions: named, isPinned: isPinned))
        count += 1
    }

    /// Notes a rendition that is there; false when it was noted before.
    mutating func note(rendition file: String, _ status: FileSystem.Status) -> Bool {
        let place = place(of: file)
        defer { renditions[place].stored = (status.bytes, status.modified) }
        return renditions[place].stored == nil
    }

    /// Notes that the renditions of a manifest stay, and counts none of it.
    mutating func spare(_ manifest: Manifest) { spared.formUnion(manifest.renditions.map(\.file)) }

    /// Whether a manifest names a rendition.
    func isInUse(_ file: String) -> Bool {
        spared.contains(file) || places[file].map { renditions[$0].uses > 0 } ?? false
    }

    /// Notes that a notification is gone, and needs its renditions no longer.
    mutating func remove(_ index: Int) {
        for place in notifications[index].renditions { renditions[place].uses -= 1 }
        notifications[index].renditions = []
        notifications[index].bytes = 0
        count -= 1
    }

    /// The bytes of the notifications, with what they share counted once.
    var bytes: Int {
        notifications.reduce(0) { $0 + $1.bytes }
            + renditions.reduce(0) { $0 + ($1.uses > 0 ? $1.stored?.bytes ?? 0 : 0) }
    }

    private mutating func place(of file: String) -> Int {
        if let place = places[file] { return place }
        places[file] = renditions.count
        renditions.append(Rendition(file: file))
        return renditions.count - 1
    }
}

extension Inventory {
    /// Chooses the notifications that are past a limit, oldest first.
    ///
    /// It reckons on a copy, since what is chosen may be published or pinned before it is removed.
    /// Sorting apart, the time is linear in what there is.
    ///
    /// - Parameters:
    ///   - policy: The limits.
    ///   - now: When the pruning began.
    /// - Returns: The places of the notifications, each with the limit that it is past.
    func evictions(
        by policy: PruningPolicy, now: Date
    ) -> [(index: Int, reason: PruningReason)] {
        let oldest = policy.maximumAge.map { now - $0 / .seconds(1) }
        let freshest = now - policy.gracePeriod / .seconds(1)
        let candidates = notifications.indices.filter {
            !notifications[$0].isPinned && notifications[$0].published < freshest
        }.sorted { one, other in
            let (one, other) = (notifications[one], notifications[other])
            // Keys decide between those of the same moment, so that a dry run tells the truth.
            return (one.published, one.key.rawValue) < (other.published, other.key.rawValue)
        }
        var rest = self
        var held = bytes
        var chosen: [(index: Int, reason: PruningReason)] = []
        for index in candidates {
            let notification = notifications[index]
            let reason: PruningReason? =
                if let oldest, notification.published < oldest {
                    .age
                } else if let maximum = policy.maximumCount, rest.count > maximum {
                    .count
                } else if let maximum = policy.maximumBytes, held > maximum.bytes {
                    .bytes
                } else { nil }
            // The others are younger, and all that was over the limits is gone.
            guard let reason else { break }
            chosen.append((index, reason))
            rest.remove(index)
            held -= notification.bytes
            for place in Set(notification.renditions) where rest.renditions[place].uses == 0 {
                held -= rest.renditions[place].stored?.bytes ?? 0
            }
        }
        return chosen
    }

    /// Whether what there is is more than a policy allows.
    func exceeds(_ policy: PruningPolicy) -> Bool {
        count > policy.maximumCount ?? .max || bytes > policy.maximumBytes?.bytes ?? .max
    }
}
