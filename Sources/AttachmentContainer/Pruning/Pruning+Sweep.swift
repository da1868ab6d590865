import Foundation

/// The sweep: what leads nowhere.
extension Pruning {
    /// Removes the renditions that no notification names.
    func sweepRenditions() {
        guard !report.keptEveryRendition else { return }
        for rendition in inventory.renditions {
            guard rendition.uses == 0, let stored = rendition.stored, stored.used < freshest else {
                continue
            }
            attempt { () throws(ContainerError) in
                guard try remove(condemnedRendition(rendition.file), .unreferenced) else {
                    if try isPublished(rendition.file) { report.keep(published: stored.bytes) }
                    return
                }
                if isDryRun { swept.insert(rendition.file) }
            }
        }
    }

    /// Removes the results that name a rendition which is gone.
    func sweepResults() {
        visit(container.path(.results)) { name, path throws(ContainerError) in
            guard SharedContainer.key(of: name) != nil,
                let status = try system.status(of: path), status.isFile, !isFresh(status)
            else { return }
            // One that shares its file with a manifest is as good as that.
            guard isDryRun || status.links == 1 else { return }
            let renditions = container.result(at: path)?.renditions
            guard renditions?.contains(where: { swept.contains($0.file) }) ?? true else { return }
            // One that is published just now takes its place in one step; without it, the next
            // attachment is processed once more.
            try remove(path, .staleResult, status.bytes)
        }
    }

    /// Removes the pins of notifications that are not there.
    func sweepPins() {
        visit(container.path(.pinned)) { name, _ throws(ContainerError) in
            guard let key = ContentDigest(rawValue: name) else { return }
            try remove(condemnedPin(key), .stalePin)
        }
    }

    /// Removes the records of URLs that were given out too long ago.
    func sweepPublished() {
        visit(container.path(.published)) { name, _ throws(ContainerError) in
            guard let file = SharedContainer.publishedFile(of: name) else { return }
            try remove(condemnedRecord(file), .stalePublished)
        }
    }

    /// Removes what nobody has written to for an hour.
    func sweepIncoming() {
        visit(container.path(.incoming)) { _, path throws(ContainerError) in
            guard try container.isStale(path), let status = try system.status(of: path) else {
                return
            }
            try remove(path, .staleIncoming, status.bytes)
        }
    }

    /// Removes a file that nobody can want any more, and tells of it.
    private func remove(
        _ path: String, _ reason: PruningReason, _ bytes: Int
    ) throws(ContainerError) {
        if !isDryRun {
            guard try system.removeFile(at: path) else { return }
        }
        count(path, reason, bytes)
    }
}
