/// Marks files as used now, which protects them from pruning for a grace period.
extension SharedContainer {
    /// Sets a manifest's time to now, as if it were published again; false if it was removed.
    package func renew(_ manifest: Manifest) throws(ContainerError) -> Bool {
        try system.touch(manifestPath(manifest.key))
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
