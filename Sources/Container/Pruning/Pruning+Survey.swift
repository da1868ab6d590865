import Foundation

/// Mark phase: lists files and the references between them.
extension Pruning {
    /// `original` makes a file from its former name.
    func settle(_ folder: SharedContainer.Folder, _ original: (String) -> CondemnedFile?) {
        visit(container.path(folder)) { name, path throws(ContainerError) in
            guard let file = CondemnedFile.name(of: name).flatMap(original) else { return }
            try settle(file, path)
        }
    }

    func surveyNotifications() throws(ContainerError) {
        var pins: Set<ContentDigest> = []
        let pinNames = try FolderListing(of: container.path(.pinned), by: system)
        while let name = try pinNames.next() {
            // A condemned pin may be restored.
            let original = CondemnedFile.name(of: name) ?? name
            if let key = ContentDigest(rawValue: original) { pins.insert(key) }
        }
        let names = try FolderListing(of: container.path(.notifications), by: system)
        while let name = try names.next() {
            guard let key = SharedContainer.key(of: name) else { continue }
            let isRead = attempt { () throws(ContainerError) in
                try survey(key, isPinned: pins.contains(key))
            }
            // Its renditions are unknown; a later release may be able to read it.
            if !isRead { report.keptEveryRendition = true }
            progress()
        }
    }

    private func survey(_ key: ContentDigest, isPinned: Bool) throws(ContainerError) {
        let path = container.manifestPath(key)
        // Neither a folder of that name nor a file just removed names a rendition.
        guard let status = try system.status(of: path), status.isFile else { return }
        report.countFound(notifications: 1, status.bytes)
        if isPinned { report.pinned += 1 }
        if status.modified >= freshest { report.fresh += 1 }
        do throws(ContainerError) {
            guard let manifest = try container.storedManifest(withKey: key) else { return }
            inventory.add(manifest, status, isPinned: isPinned)
        } catch {
            guard error.code == .corrupt || error.code == .wrongKey else { throw error }
            try remove(condemnedManifest(key), .damaged)
        }
    }

    /// Retains the renditions of manifests that another pruning has condemned and may restore.
    ///
    /// This runs after the survey, which may miss a manifest renamed meanwhile.
    func surveyCondemned() {
        guard !isDryRun else { return }
        let isWhole = visit(container.path(.notifications)) { name, path throws(ContainerError) in
            guard CondemnedFile.name(of: name).flatMap(SharedContainer.key(of:)) != nil else {
                return
            }
            do throws(ContainerError) {
                guard
                    let manifest = try VersionedJSON.read(
                        StoredManifest.self, at: path, by: system)
                else { return }
                inventory.retainRenditions(of: manifest)
            } catch {
                // No reader shows a damaged manifest, whatever its name.
                guard error.code == .corrupt else { throw error }
            }
        }
        if !isWhole { report.keptEveryRendition = true }
    }

    func surveyRenditions() {
        visit(container.path(.renditions)) { folder, path throws(ContainerError) in
            guard try system.status(of: path)?.isFolder == true else { return }
            visit(path) { name, path throws(ContainerError) in
                let original = CondemnedFile.name(of: name)
                let file = "\(folder)/\(original ?? name)"
                guard Manifest.Rendition.isRenditionPath(file) else { return }
                if original != nil {
                    // An unreadable manifest may name it.
                    guard !report.keptEveryRendition else { return }
                    try settle(condemnedRendition(file), path)
                }
                let found = try system.status(of: container.path(.renditions, file))
                guard let found, found.isFile, inventory.add(rendition: file, found) else {
                    return
                }
                report.countFound(renditions: 1, found.bytes)
                progress()
            }
        }
    }

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
