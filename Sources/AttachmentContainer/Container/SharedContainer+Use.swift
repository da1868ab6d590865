/// Marks files as used now, which protects them from pruning for a grace period.
extension SharedContainer {
    /// Sets a manifest's time to now, as if it were published again; false if it was removed.
    package func renew(_ manifest: Manifest) throws(ContainerError) -> Bool {
        try system.touch(manifestPath(manifest.key))
    }

    /// Restores a rendition that a pruning has renamed.
    ///
    /// That pruning, which may still be running, then removes at most the other name.
    func restore(_ rendition: Manifest.Rendition) throws(ContainerError) {
        let path = path(.renditions, rendition.file)
        _ = try CondemnedFile(system: system, path: path, isWanted: { _ in true }).settle()
    }

    func useRenditions(ofManifestAt path: String) {
        guard let manifest = try? VersionedJSON.read(Manifest.self, at: path, by: system) else {
            return
        }
        for rendition in manifest.renditions {
            _ = try? system.touch(self.path(.renditions, rendition.file))
        }
    }
}
