import AttachmentContainer
import NotificationDelivery

/// Records of the renditions whose URLs are given out, at most one a second for each.
final class PublishedRenditions: Sendable {
    private struct Record {
        var renewed: ContinuousClock.Instant
        /// The time of the last record that survives a power failure.
        var durable: ContinuousClock.Instant
    }

    /// Number of renditions whose records are remembered.
    private static let capacity = 4_096
    /// Shorter than the shortest grace period of a pruning.
    private static let interval = Duration.seconds(1)
    /// As `recordPublished(_:)` guarantees.
    private static let durableInterval = Duration.seconds(3600)

    private let container: SharedContainer
    private let records = Lock(RecentValues<String, Record>(capacity: capacity))

    init(in container: SharedContainer) { self.container = container }

    /// Records that a URL is given out, so that pruning keeps its file; false if the file does not
    /// exist.
    func record(_ rendition: Manifest.Rendition) throws(ContainerError) -> Bool {
        let now = ContinuousClock.now
        let former = records.withLock { $0[rendition.file] }
        if let former {
            if former.renewed.duration(to: now) < Self.interval { return true }
            let isDue = former.durable.duration(to: now) >= Self.durableInterval
            if try container.renewPublished(rendition, durably: isDue) {
                remember(rendition, Record(renewed: now, durable: isDue ? now : former.durable))
                return true
            }
        }
        guard try container.recordPublished(rendition) else {
            records.withLock { $0[rendition.file] = nil }
            return false
        }
        remember(rendition, Record(renewed: now, durable: now))
        return true
    }

    private func remember(_ rendition: Manifest.Rendition, _ record: Record) {
        records.withLock { $0[rendition.file] = record }
    }
}
