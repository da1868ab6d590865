/// Marks files as used now, which protects them from pruning for a grace period.
extension SharedContainer {
    /// Sets a manifest's time to now, as if it were published again; false if it was removed.
    package func renew(_ manifest: Manifest) throws(ContainerError) -> Bool {
        try system.touch(manifestPath(manifest.key))
    }

    /// Marks a manifest and its renditions as used now, so that they may be handed out again; false if
    /// any of them was removed.
    package func renewWithRenditions(_ manifest: Manifest) throws(ContainerError) -> Bool {
        // The manifest first: a pruning that has not yet renamed it then keeps its renditions.
        guard try renew(manifest) else { return false }
        for rendition in manifest.renditions {
            guard try system.touch(path(.renditions, rendition.file)) else { return false }
        }
        return true
    }

    /// True if the result for a source and settings is the file that is published under its
    /// identifier, as after every publication until the next one with the same source.
    package func isPublished(result: Manifest) throws(ContainerError) -> Bool {
        let own = try system.status(of: manifestPath(result.key))
        let path = resultPath(source: result.source.sha256, settings: result.settings)
        guard let own, let result = try system.status(of: path) else { return false }
        return own.device == result.device && own.number == result.number
    }

    /// Restores a rendition that a pruning has renamed.
    ///
    /// That pruning, which may still be running, then removes at most the other name.
    func restore(_ rendition: Manifest.Rendition) throws(ContainerError) {
        let path = path(.renditions, rendition.file)
        _ = try CondemnedFile(system: system, path: path, isWanted: { _ in true }).settle()
    }

    func useRenditions(ofManifestAt path: String) {
        guard let manifest = try? VersionedJSON.read(StoredManifest.self, at: path, by: system)
        else { return }
        for file in manifest.files { _ = try? system.touch(self.path(.renditions, file)) }
    }
}
