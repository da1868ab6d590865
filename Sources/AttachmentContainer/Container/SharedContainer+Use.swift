/// What counts as used now, so that no pruning takes it for a grace period.
extension SharedContainer {
    /// Starts the age of a notification anew, as publishing its manifest again would.
    ///
    /// - Parameter manifest: The manifest, as it was read.
    /// - Returns: Whether there is still one in its place; false once it was pruned or forgotten.
    /// - Throws: `ContainerError` when the system does not let it be marked.
    package func renew(_ manifest: Manifest) throws(ContainerError) -> Bool {
        try system.touch(manifestPath(manifest.key))
    }

    /// Marks what a manifest names, as far as it is there and can be marked.
    func useRenditions(ofManifestAt path: String) {
        guard let manifest = try? VersionedJSON.read(Manifest.self, at: path, by: system) else {
            return
        }
        for rendition in manifest.renditions {
            _ = try? system.touch(self.path(.renditions, rendition.file))
        }
    }
}
