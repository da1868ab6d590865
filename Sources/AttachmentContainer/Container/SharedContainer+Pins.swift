import Foundation

/// What a person asked for: to keep a notification's picture, or to have it gone.
///
/// A pin is an empty file that bears the notification's key. So the app and its extensions see each
/// other's at once, and no lock is held that the system would kill a suspended process for.
extension SharedContainer {
    /// Keeps a notification from being pruned, until `unpin(_:)` or `forget(_:)`.
    ///
    /// The pin stays where another manifest is published under the same identifier. One that is set
    /// before the notification is published counts from then on, unless that takes longer than
    /// pruning's grace period. When this returns, the pin survives a loss of power.
    ///
    /// - Parameter identifier: The notification's identifier.
    /// - Returns: Whether there is such a notification.
    /// - Throws: `ContainerError` when the volume is full or fails.
    @discardableResult
    public func pin(_ identifier: String) throws(ContainerError) -> Bool {
        let key = ContentDigest(of: identifier)
        try setMark(at: pinPath(key))
        try synchroniseFolder(at: path(.pinned))
        // Looked for after the pin is set, as pruning looks for the pin after it took the manifest
        // away: of the two, one sees the other.
        return try system.status(of: manifestPath(key)) != nil
    }

    /// Lets a notification be pruned again.
    ///
    /// - Parameter identifier: The notification's identifier.
    /// - Returns: Whether it was pinned.
    /// - Throws: `ContainerError` when the system does not let it.
    @discardableResult
    public func unpin(_ identifier: String) throws(ContainerError) -> Bool {
        try removePin(ContentDigest(of: identifier))
    }

    /// Tells whether a notification is pinned.
    ///
    /// - Parameter identifier: The notification's identifier.
    /// - Returns: Whether it is kept from being pruned.
    /// - Throws: `ContainerError` when the system does not let it be read.
    public func isPinned(_ identifier: String) throws(ContainerError) -> Bool {
        try isPinned(ContentDigest(of: identifier))
    }

    /// Reads the manifests of the pinned notifications, one at a time, in no order.
    ///
    /// A pin whose notification was not published is passed over; a manifest that cannot be read is
    /// an error in its place and does not end the sequence.
    ///
    /// - Returns: The manifests; one pass.
    /// - Throws: `ContainerError` when the folder of the pins cannot be read.
    public func pinned() throws(ContainerError) -> some Sequence<Result<Manifest, ContainerError>> {
        try manifests(namedIn: .pinned, key: ContentDigest.init(rawValue:))
    }

    /// Removes a notification, its pin, and the result that bears its identifier.
    ///
    /// From then on a reader has a neutral placeholder for it, and when this returns it does not
    /// come back after a loss of power. Renditions stay for as long as other notifications name
    /// them; those that none does go with the next pruning, once they are older than its grace
    /// period: to know them takes reading every manifest, and one that was used a moment ago may
    /// belong to a publication under way. So do results of what was published earlier under the
    /// same identifier.
    ///
    /// - Parameter identifier: The notification's identifier.
    /// - Returns: Whether there was such a notification.
    /// - Throws: `ContainerError` when the system does not let it be removed.
    @discardableResult
    public func forget(_ identifier: String) throws(ContainerError) -> Bool {
        let key = ContentDigest(of: identifier)
        var folders: [Folder] = []
        // The manifest last: it leads to the rest, so what is cut short can be done again.
        if let manifest = try legible({ () throws(ContainerError) in try manifest(withKey: key) }) {
            let path = resultPath(source: manifest.source.sha256, settings: manifest.settings)
            let result = try legible { () throws(ContainerError) in
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

    /// Makes an empty file, or starts the age of the one that is there anew: pruning goes by that.
    func setMark(at path: String) throws(ContainerError) {
        // Pruning may take an old one away between the two calls. It does so once: the next is new.
        for _ in 0..<3 {
            if try system.makeEmptyFile(at: path) { return }
            if try system.touch(path) { return }
        }
        // A link that leads nowhere.
        throw ContainerError(.corrupt, path: path, reason: "there is something else in its place")
    }

    /// Removes a pin, also one that pruning has just taken out of sight and may put back.
    private func removePin(_ key: ContentDigest) throws(ContainerError) -> Bool {
        let isThere = try system.removeFile(at: pinPath(key))
        let isCondemned = try system.removeFile(at: CondemnedFile.path(of: pinPath(key)))
        return isThere || isCondemned
    }

    /// Reads a manifest; nil also for one that makes no sense, which need not be kept.
    private func legible(
        _ read: () throws(ContainerError) -> Manifest?
    ) throws(ContainerError) -> Manifest? {
        do throws(ContainerError) {
            return try read()
        } catch {
            guard [.corrupt, .wrongKey, .unknownVersion].contains(error.code) else { throw error }
            return nil
        }
    }

    func isPinned(_ key: ContentDigest) throws(ContainerError) -> Bool {
        try system.status(of: pinPath(key)) != nil
    }

    func pinPath(_ key: ContentDigest) -> String { path(.pinned, key.rawValue) }
}
