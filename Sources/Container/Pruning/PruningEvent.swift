/// Progress of a running pruning.
public enum PruningEvent: Sendable, Hashable {
    /// Totals after one more file was examined or removed.
    case progress(PruningReport)
    /// A file was, or in a dry run would be, removed.
    case removal(Removal)
    /// A file could not be read or removed; it stays.
    case failure(ContainerError)
}

extension PruningEvent {
    /// A removed file.
    public struct Removal: Sendable, Hashable, Codable {
        /// The path, relative to the container.
        public let path: String
        /// The reason for the removal.
        public let reason: PruningReason
        /// The length of the file.
        public let bytes: ByteCount
    }
}

/// Reasons for removing a file, whose raw values appear in JSON reports.
public enum PruningReason: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    /// The notification exceeds the policy's maximum age.
    case age
    /// The number of notifications exceeds the limit, and this was the oldest.
    case count
    /// The bytes of notifications exceed the limit, and this was the oldest.
    case bytes
    /// The manifest is invalid, so no reader shows its notification.
    case damaged
    /// No notification names the rendition.
    case unreferenced
    /// A rendition that the result names is missing.
    case staleResult = "stale-result"
    /// The pin's notification does not exist.
    case stalePin = "stale-pin"
    /// The rendition's URL was last given out longer ago than the policy keeps such files.
    case stalePublished = "stale-published"
    /// The fetched attachment was not used for seven days.
    case staleFetched = "stale-fetched"
    /// The file in `incoming/` was not written to for an hour.
    case staleIncoming = "stale-incoming"
    /// The app no longer has the notification, see ``SharedContainer/forget(allBut:olderThan:)``.
    case forgotten
    /// An earlier pruning was interrupted while it removed the file.
    case interrupted
}
