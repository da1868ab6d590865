import Foundation

extension SharedContainer {
    /// The same container with a key: it publishes sealed renditions, and reads those sealed before.
    ///
    /// Renditions and manifests are encrypted, and no plaintext of a rendition is written to disk.
    /// Sealed pictures are not reused for other notifications, and the system cannot attach them.
    ///
    /// - Parameter keys: The source of the key.
    /// - Returns: The container.
    public func sealing(with keys: any SealingKeyProviding) -> SharedContainer {
        var container = self
        container.sealingKeys = keys
        return container
    }

    /// True if it publishes sealed renditions.
    public var sealsPictures: Bool { sealingKeys != nil }

    /// Reads a manifest as it is stored, without a key; nil if it is missing.
    func storedManifest(withKey key: ContentDigest) throws(ContainerError) -> StoredManifest? {
        let path = manifestPath(key)
        guard let stored = try VersionedJSON.read(StoredManifest.self, at: path, by: system)
        else { return nil }
        try check(stored.key, is: key, at: path)
        return stored
    }

    private func check(
        _ found: ContentDigest, is key: ContentDigest, at path: String
    ) throws(ContainerError) {
        guard found != key else { return }
        throw ContainerError(
            .wrongKey, path: path, reason: "it is the manifest of another notification")
    }

    /// Reads a manifest, and decrypts a sealed one.
    func manifest(withKey key: ContentDigest) throws(ContainerError) -> Manifest? {
        switch try storedManifest(withKey: key) {
        case nil: return nil
        case .clear(let manifest): return manifest
        case .sealed(let sealed):
            let path = manifestPath(key)
            guard let sealingKeys else {
                throw ContainerError(.sealed, path: path, reason: "it is sealed")
            }
            let manifest = try sealed.opened(by: try sealingKeys.sealingKey(), at: path)
            try check(manifest.key, is: key, at: path)
            return manifest
        }
    }

    /// The bytes of a manifest to store at a path, sealed if the container has a key.
    func encoded(_ manifest: Manifest, for path: String) throws(ContainerError) -> Data {
        let json = try VersionedJSON.encode(manifest, for: path)
        // Keys of sealed files must not be in a manifest in the clear, nor files in the clear in a sealed one.
        guard manifest.renditions.allSatisfy({ $0.isSealed == sealsPictures }) else {
            throw ContainerError(
                .invalidManifest, path: path,
                reason: sealsPictures ? "a rendition is not sealed" : "a rendition is sealed",
                remedy: "publish to the container for which the renditions were made")
        }
        guard let sealingKeys else { return json }
        return try VersionedJSON.encode(
            SealedManifest(manifest, json: json, by: try sealingKeys.sealingKey(), at: path),
            for: path)
    }
}
