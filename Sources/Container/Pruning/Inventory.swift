import Foundation

struct Inventory {
    struct Notification {
        var key: ContentDigest
        var published: Date
        var bytes: Int
        /// Indices into `renditions`.
        var renditions: [Int]
        var isPinned: Bool
    }

    struct Rendition {
        var file: String
        /// Nil until found, and for a missing file.
        var stored: (bytes: Int, used: Date)?
        var uses = 0
    }

    private(set) var notifications: [Notification] = []
    private(set) var count = 0
    private(set) var renditions: [Rendition] = []
    private var indices: [String: Int] = [:]
    /// Renditions of condemned manifests that may be restored.
    private var retained: Set<String> = []

    mutating func add(_ manifest: StoredManifest, _ status: FileSystem.Status, isPinned: Bool) {
        let named = manifest.files.map { index(of: $0) }
        for index in named { renditions[index].uses += 1 }
        notifications.append(
            Notification(
                key: manifest.key, published: status.modified, bytes: status.bytes,
                renditions: named, isPinned: isPinned))
        count += 1
    }

    /// False if it was added before.
    mutating func add(rendition file: String, _ status: FileSystem.Status) -> Bool {
        let index = index(of: file)
        defer { renditions[index].stored = (status.bytes, status.modified) }
        return renditions[index].stored == nil
    }

    mutating func retainRenditions(of manifest: StoredManifest) {
        retained.formUnion(manifest.files)
    }

    func isInUse(_ file: String) -> Bool {
        retained.contains(file) || indices[file].map { renditions[$0].uses > 0 } ?? false
    }

    mutating func remove(_ index: Int) {
        for rendition in notifications[index].renditions { renditions[rendition].uses -= 1 }
        notifications[index].renditions = []
        notifications[index].bytes = 0
        count -= 1
    }

    /// Total length of manifests and referenced renditions, counting shared ones once.
    var bytes: Int {
        notifications.reduce(0) { $0 + $1.bytes }
            + renditions.reduce(0) { $0 + ($1.uses > 0 ? $1.stored?.bytes ?? 0 : 0) }
    }

    private mutating func index(of file: String) -> Int {
        if let index = indices[file] { return index }
        indices[file] = renditions.count
        renditions.append(Rendition(file: file))
        return renditions.count - 1
    }
}

extension Inventory {
    /// Oldest first; notifications may be published or pinned again before their removal.
    func evictions(by policy: PruningPolicy, now: Date) -> [(index: Int, reason: PruningReason)] {
        let oldest = policy.maximumAge.map { now - $0 / .seconds(1) }
        let freshest = now - policy.gracePeriod / .seconds(1)
        let candidates = notifications.indices.filter {
            !notifications[$0].isPinned && notifications[$0].published < freshest
        }.sorted { one, other in
            let (one, other) = (notifications[one], notifications[other])
            // Ties are broken by key, so that a dry run predicts the real one.
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
            // All others are newer, and the limits are met.
            guard let reason else { break }
            chosen.append((index, reason))
            rest.remove(index)
            held -= notification.bytes
            for rendition in Set(notification.renditions) where rest.renditions[rendition].uses == 0
            {
                held -= rest.renditions[rendition].stored?.bytes ?? 0
            }
        }
        return chosen
    }

    /// All notifications but these, fresh and pinned ones.
    func forgettable(
        allBut delivered: Set<ContentDigest>, before freshest: Date
    ) -> [(index: Int, reason: PruningReason)] {
        notifications.indices.filter {
            let notification = notifications[$0]
            return !notification.isPinned && notification.published < freshest
                && !delivered.contains(notification.key)
        }.map { ($0, .forgotten) }
    }

    func exceeds(_ policy: PruningPolicy) -> Bool {
        count > policy.maximumCount ?? .max || bytes > policy.maximumBytes?.bytes ?? .max
    }
}
