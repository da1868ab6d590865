/// What pruning tells while it runs.
public enum PruningEvent: Sendable, Hashable {
    /// One more file was looked at or removed; this is what it comes to so far.
    case progress(PruningReport)
    /// A file was removed, or would be.
    case removal(Removal)
    /// A file could not be read or removed; it stays.
    case failure(ContainerError)
}

extension PruningEvent {
    /// A file that goes.
    public struct Removal: Sendable, Hashable, Codable {
        /// The path, relative to the container.
        public let path: String
        /// Why it goes.
        public let reason: PruningReason
        /// The length of the file.
        public let bytes: ByteCount
    }
}

/// Why a file goes.
///
/// The raw values appear in JSON reports.
public enum PruningReason: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    /// The notification is older than the policy keeps them.
    case age
    /// There are more notifications than the policy keeps, and it was the oldest.
    case count
    /// Notifications take more bytes than the policy allows, and it was the oldest.
    case bytes
    /// The manifest is not what the format says, so no reader shows its notification.
    case damaged
    /// No notification names the rendition any more.
    case unreferenced
    /// A renditions that a result names is gone, so it can no longer be reused.
    case staleResult = "stale-result"
    /// The pin is for a notification that is not there.
    case stalePin = "stale-pin"
    /// The URL of the rendition was given out longer ago than such renditions are kept.
    case stalePublished = "stale-published"
    /// Nobody wrote to the file in `incoming/` for an hour.
    case staleIncoming = "stale-incoming"
    /// An earlier pruning came to its end while it removed the file.
    case interrupted
}
