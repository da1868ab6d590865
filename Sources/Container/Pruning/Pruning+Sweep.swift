import Foundation

/// Sweep phase: removes unreferenced files.
extension Pruning {
    func sweepRenditions() {
        guard !report.keptEveryRendition else { return }
        for rendition in inventory.renditions {
            guard rendition.uses == 0, let stored = rendition.stored, stored.used < freshest else {
                continue
            }
            attempt { () throws(ContainerError) in
                guard try remove(condemnedRendition(rendition.file), .unreferenced) else {
                    if try isPublished(rendition.file) { report.count(published: stored.bytes) }
                    return
                }
                if isDryRun { swept.insert(rendition.file) }
            }
        }
    }

    func sweepResults() {
        visit(container.path(.results)) { name, path throws(ContainerError) in
            guard SharedContainer.key(of: name) != nil,
                let status = try system.status(of: path), status.isFile, !isFresh(status)
            else { return }
            // A result that is a hard link to a manifest is still valid.
            guard isDryRun || status.links == 1 else { return }
            let result = container.result(at: path)
            // It has the identifier, though another notification may share its renditions.
            if delivered != nil, let result, try !container.hasManifest(result.key) {
                return try remove(path, .forgotten, status.bytes)
            }
            guard result?.renditions.contains(where: { swept.contains($0.file) }) ?? true else {
                return
            }
            // A result published just now may be removed here; the only cost is that the next such
            // attachment is processed again.
            try remove(path, .staleResult, status.bytes)
        }
    }

    func sweep(
        _ folder: SharedContainer.Folder, as reason: PruningReason,
        _ file: (String) -> CondemnedFile?
    ) {
        visit(container.path(folder)) { name, _ throws(ContainerError) in
            if let file = file(name) { try remove(file, reason) }
        }
    }

    func sweepFetched() {
        let oldest = system.steadyNow - SharedContainer.fetchedLifetime / .seconds(1)
        visit(container.path(.fetched)) { _, path throws(ContainerError) in
            guard let status = try system.status(of: path), status.isFile,
                status.modified < oldest
            else { return }
            try remove(path, .staleFetched, status.bytes)
        }
    }

    func sweepIncoming() {
        visit(container.path(.incoming)) { _, path throws(ContainerError) in
            guard try container.isStale(path, olderThan: policy.unfinishedLifetime),
                let status = try system.status(of: path)
            else { return }
            try remove(path, .staleIncoming, status.bytes)
        }
    }

    /// Removes a file that no other process can need.
    private func remove(
        _ path: String, _ reason: PruningReason, _ bytes: Int
    ) throws(ContainerError) {
        if !isDryRun {
            guard try system.removeFile(at: path) else { return }
        }
        count(path, reason, bytes)
    }
}
