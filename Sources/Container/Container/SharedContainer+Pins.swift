import Foundation

/// Pins: empty files named after a notification's key.
///
/// The app and its extensions see each other's pins at once, without a lock, for which the system
/// would kill a suspended process.
extension SharedContainer {
    /// Protects a notification from pruning until `unpin(_:)` or `forget(_:)`; true if it exists.
    ///
    /// The pin stays when another manifest is published under the same identifier. A notification
    /// may be pinned before it is published, if publication follows within pruning's grace period.
    /// The pin is durable when this method returns.
    @discardableResult
    public func pin(_ identifier: String) throws(ContainerError) -> Bool {
        let key = ContentDigest(of: identifier)
        try createMarker(at: pinPath(key))
        try synchroniseFolder(at: path(.pinned))
        // Pruning looks for the pin after it renamed the manifest, and this looks for the manifest
        // after it set the pin: one of them sees the other.
        return try system.status(of: manifestPath(key)) != nil
    }

    /// Allows pruning of a notification again; returns true if it was pinned.
    @discardableResult
    public func unpin(_ identifier: String) throws(ContainerError) -> Bool {
        try removePin(ContentDigest(of: identifier))
    }

    /// Returns true if a notification is pinned.
    public func isPinned(_ identifier: String) throws(ContainerError) -> Bool {
        try isPinned(ContentDigest(of: identifier))
    }

    /// Reads the manifests of pinned and published notifications, as `manifests()` does.
    public func pinned() throws(ContainerError) -> some Sequence<Result<Manifest, ContainerError>> {
        try manifests(namedIn: .pinned, key: ContentDigest.init(rawValue:))
    }

    /// Removes a notification, its pin, and the result with its identifier; true if it existed.
    ///
    /// The removal is durable when this method returns. Renditions and older results under the same
    /// identifier are left for the next pruning: other notifications may share a rendition, and a
    /// publication in progress may have just reused it.
    @discardableResult
    public func forget(_ identifier: String) throws(ContainerError) -> Bool {
        let key = ContentDigest(of: identifier)
        var folders: [Folder] = []
        // The manifest goes last: it leads to the other files, so an interrupted removal can be
        // repeated.
        if let manifest = try ifValid({ () throws(ContainerError) in try manifest(withKey: key) }) {
            let path = resultPath(source: manifest.source.sha256, settings: manifest.settings)
            let result = try ifValid { () throws(ContainerError) in
                try VersionedJSON.read(Manifest.self, at: path, by: system)
            }
            // Another notification's result for the same picture stays.
            if result?.key == key, try system.removeFile(at: path) { folders.append(.results) }
        }
        if try removePin(key) { folders.append(.pinned) }
        let isThere = try system.removeFile(at: manifestPath(key))
        if isThere { folders.append(.notifications) }
        for folder in folders { try synchroniseFolder(at: path(folder)) }
        return isThere
    }

    /// Creates an empty file, or sets the existing file's time, which pruning uses, to now.
    func createMarker(at path: String) throws(ContainerError) {
        // Pruning may remove an old marker between the two calls, but only once: the next is new.
        for _ in 0..<3 {
            if try system.makeEmptyFile(at: path) { return }
            if try system.touch(path) { return }
        }
        // For example a dangling symbolic link.
        throw ContainerError(.corrupt, path: path, reason: "a file of another kind is in its place")
    }

    /// Also removes one that pruning has renamed and may restore.
    private func removePin(_ key: ContentDigest) throws(ContainerError) -> Bool {
        let isThere = try system.removeFile(at: pinPath(key))
        let isCondemned = try system.removeFile(at: CondemnedFile.path(of: pinPath(key)))
        return isThere || isCondemned
    }

    private func ifValid(
        _ read: () throws(ContainerError) -> Manifest?
    ) throws(ContainerError) -> Manifest? {
        do throws(ContainerError) {
            return try read()
        } catch {
            let unreadable: Set<ContainerError.Code> = [
                .corrupt, .wrongKey, .unknownVersion, .sealed, .otherKey, .keyUnavailable,
            ]
            guard unreadable.contains(error.code) else { throw error }
            return nil
        }
    }

    func isPinned(_ key: ContentDigest) throws(ContainerError) -> Bool {
        try system.status(of: pinPath(key)) != nil
    }

    func pinPath(_ key: ContentDigest) -> String { path(.pinned, key.rawValue) }
}
