import AttachmentContainer
import AttachmentStore
import Logging

/// The outcome of one scheduled pruning.
struct PruningSummary: Sendable {
    var files: PruningReport?
    /// Nil if objects are not pruned.
    var objects: ObjectPruningReport?

    /// Files and objects removed, by reason.
    var removed: [(reason: String, count: Int, bytes: Int)] {
        let files = (files?.removed ?? [:]).map { ($0.rawValue, $1.files, $1.bytes.bytes) }
        let objects = objects.map {
            [
                (Self.staleObject, $0.removed.objects, $0.removed.bytes.bytes),
                (Self.unfinishedObject, $0.unfinished.objects, $0.unfinished.bytes.bytes),
            ]
        }
        return files.sorted { $0.0 < $1.0 } + (objects ?? [])
    }

    var failures: Int { (files?.failures ?? 0) + (objects?.failures ?? 0) }

    /// True if nothing was removed, and nothing failed.
    var isEmpty: Bool { failures == 0 && removed.allSatisfy { $0.count == 0 } }

    static let staleObject = "stale-object"
    static let unfinishedObject = "unfinished-object"

    /// Numbers for the log.
    func metadata(after duration: Duration) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "files": .stringConvertible(removed.reduce(0) { $0 + $1.count }),
            "bytes": .stringConvertible(removed.reduce(0) { $0 + $1.bytes }),
            "failures": .stringConvertible(failures),
            "milliseconds": .stringConvertible(Int(duration / .milliseconds(1))),
        ]
        for (reason, count, _) in removed where count > 0 {
            metadata[reason] = .stringConvertible(count)
        }
        if let files {
            metadata["notificationsLeft"] = .stringConvertible(files.after.notifications)
            metadata["bytesLeft"] = .stringConvertible(files.after.bytes.bytes)
            if files.exceedsPolicy { metadata["overLimits"] = "yes" }
        }
        return metadata
    }
}
