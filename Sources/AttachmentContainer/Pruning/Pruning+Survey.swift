import Foundation

/// The mark: what there is, and what is named by what.
extension Pruning {
    /// Settles the pins that a pruning which came to its end had condemned: before the manifests,
    /// which they keep.
    func settlePins() {
        visit(container.path(.pinned)) { name, path throws(ContainerError) in
            guard let key = CondemnedFile.name(of: name).flatMap(ContentDigest.init(rawValue:))
            else { return }
            try settle(condemnedPin(key), path)
        }
    }

    /// Settles the records of given-out URLs that a pruning which came to its end had condemned:
    /// before the renditions, which they keep.
    func settlePublished() {
        visit(container.path(.published)) { name, path throws(ContainerError) in
            guard
                let file = CondemnedFile.name(of: name).flatMap(SharedContainer.publishedFile(of:))
            else { return }
            try settle(condemnedRecord(file), path)
        }
    }

    /// Settles the manifests that a pruning which came to its end had condemned.
    func settleNotifications() {
        visit(container.path(.notifications)) { name, path throws(ContainerError) in
            guard let key = CondemnedFile.name(of: name).flatMap(SharedContainer.key(of:)) else {
                return
            }
            try settle(condemnedManifest(key), path)
        }
    }

    /// Reads every manifest.
    func surveyNotifications() throws(ContainerError) {
        var pins: Set<ContentDigest> = []
        let pinNames = try FolderListing(of: container.path(.pinned), by: system)
        while let name = try pinNames.next() {
            // One that stands condemned may be put back.
            let standing = CondemnedFile.name(of: name) ?? name
            if let key = ContentDigest(rawValue: standing) { pins.insert(key) }
        }
        let names = try FolderListing(of: container.path(.notifications), by: system)
        while let name = try names.next() {
            guard let key = SharedContainer.key(of: name) else { continue }
            let isRead = attempt { () throws(ContainerError) in
                try survey(key, isPinned: pins.contains(key))
            }
            // What it names is not known; it may be one that a later release can read.
            if !isRead { report.keptEveryRendition = true }
            progress()
        }
    }

    private func survey(_ key: ContentDigest, isPinned: Bool) throws(ContainerError) {
        let path = container.manifestPath(key)
        // Neither a folder in its place nor one that was removed just now names a rendition.
        guard let status = try system.status(of: path), status.isFile else { return }
        report.find(notification: status.bytes)
        if isPinned { report.pinned += 1 }
        if status.modified >= freshest { report.fresh += 1 }
        do throws(ContainerError) {
            guard let manifest = try container.manifest(withKey: key) else { return }
            inventory.note(manifest, status, isPinned: isPinned)
        } catch {
            guard error.code == .corrupt || error.code == .wrongKey else { throw error }
            try remove(condemnedManifest(key), .damaged)
        }
    }

    /// Notes what the manifests name that another pruning has out of sight and may put back.
    ///
    /// This is looked for after the survey, which may miss a manifest that is renamed meanwhile. One
    /// that is put back before it is seen here has had its renditions marked as used.
    func surveyCondemned() {
        guard !isDryRun else { return }
        let isWhole = visit(container.path(.notifications)) { name, path throws(ContainerError) in
            guard CondemnedFile.name(of: name).flatMap(SharedContainer.key(of:)) != nil else {
                return
            }
            do throws(ContainerError) {
                guard let manifest = try VersionedJSON.read(Manifest.self, at: path, by: system)
                else { return }
                inventory.spare(manifest)
            } catch {
                // No reader shows a damaged one, wherever it stands.
                guard error.code == .corrupt else { throw error }
            }
        }
        if !isWhole { report.keptEveryRendition = true }
    }

    /// Looks at every rendition, and settles those that were condemned.
    func surveyRenditions() {
        visit(container.path(.renditions)) { folder, path throws(ContainerError) in
            guard try system.status(of: path)?.isFolder == true else { return }
            visit(path) { name, path throws(ContainerError) in
                let standing = CondemnedFile.name(of: name)
                let file = "\(folder)/\(standing ?? name)"
                guard Manifest.Rendition.isPlace(file) else { return }
                if standing != nil {
                    // Whether a manifest names it is not known if one could not be read.
                    guard !report.keptEveryRendition else { return }
                    try settle(condemnedRendition(file), path)
                }
                let found = try system.status(of: container.path(.renditions, file))
                guard let found, found.isFile, inventory.note(rendition: file, found) else {
                    return
                }
                report.find(rendition: found.bytes)
                progress()
            }
        }
    }

    /// Decides on a file that was condemned and never removed.
    private func settle(_ file: CondemnedFile, _ path: String) throws(ContainerError) {
        if isDryRun {
            guard let status = try system.status(of: path), try !file.isWanted(status) else {
                return
            }
            count(path, .interrupted, status.bytes)
        } else if let removed = try file.settle() {
            count(path, .interrupted, removed.bytes)
        }
    }
}
