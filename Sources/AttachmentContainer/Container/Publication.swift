/// The renditions of one attachment on their way to the readers.
///
/// Renditions are added, then the manifest that names them is committed. Until then no reader sees
/// any of it; after a crash either all of it is there or none. What that takes in waiting for the
/// volume: once for every file, once for every folder that a rendition went into, once for the folder
/// of those, and once for the folder of the manifests. Renditions that are added and not committed
/// stay as unreferenced files.
public struct Publication: ~Copyable, Sendable {
    private let container: SharedContainer
    /// The folders with entries that are not durable yet.
    private var folders: Set<String> = []

    private var system: FileSystem { container.system }

    /// Begins a publication.
    ///
    /// - Parameter container: Where the renditions go.
    public init(in container: SharedContainer) {
        self.container = container
    }

    /// Stores a rendition under the digest of its bytes.
    ///
    /// The same bytes are stored once: where they are already, the file in hand is dropped and the
    /// stored one is marked as used now.
    ///
    /// - Parameters:
    ///   - file: The encoded picture.
    ///   - role: What the picture is for.
    ///   - type: The kind of file.
    ///   - size: The size, in pixels.
    ///   - crop: The part of the whole picture that it was cut from. The default is nil: it is the
    ///     whole.
    /// - Returns: The rendition, for the manifest.
    /// - Throws: `ContainerError` when the volume is full or fails.
    public mutating func add(
        _ file: consuming IncomingFile, as role: RenditionRole, type: RenditionType,
        size: PixelSize, crop: UnitRectangle? = nil
    ) throws(ContainerError) -> Manifest.Rendition {
        try store(
            file,
            Manifest.Rendition.Content(
                role: role, type: type.rawValue, fileExtension: type.fileExtension, size: size,
                crop: crop))
    }

    /// Stores an animation under the digest of its bytes, like a rendition.
    ///
    /// - Parameters:
    ///   - file: A GIF.
    ///   - size: The size of its canvas, in pixels.
    ///   - frames: How many frames it has.
    ///   - duration: How long it plays once, in seconds.
    ///   - loopCount: How often it is played; 0 for without end.
    /// - Returns: The rendition, for the manifest, with the role `attachment`.
    /// - Throws: `ContainerError` when the volume is full or fails.
    public mutating func add(
        _ file: consuming IncomingFile, animationOf size: PixelSize, frames: Int, duration: Double,
        loopCount: Int
    ) throws(ContainerError) -> Manifest.Rendition {
        try store(
            file,
            Manifest.Rendition.Content(
                role: .attachment, type: RenditionType.gif.rawValue,
                fileExtension: RenditionType.gif.fileExtension, size: size, duration: duration,
                frames: frames, loopCount: loopCount))
    }

    /// Stores sound or a movie under the digest of its bytes, like a rendition.
    ///
    /// - Parameters:
    ///   - file: The sound or movie.
    ///   - type: The kind of file.
    ///   - size: The size as seen, in pixels; nil for sound, and where it is unknown.
    ///   - duration: How long it plays, in seconds; nil where it is unknown.
    /// - Returns: The rendition, for the manifest, with the role `media`.
    /// - Throws: `ContainerError` when the volume is full or fails.
    public mutating func add(
        _ file: consuming IncomingFile, media type: MediaType, size: PixelSize?, duration: Double?
    ) throws(ContainerError) -> Manifest.Rendition {
        try store(
            file,
            Manifest.Rendition.Content(
                role: .media, type: type.rawValue, fileExtension: type.fileExtension,
                size: size ?? .zero, duration: duration))
    }

    private mutating func store(
        _ file: consuming IncomingFile, _ content: Manifest.Rendition.Content
    ) throws(ContainerError) -> Manifest.Rendition {
        let digest = try ContentDigest(of: file.file, by: system)
        let bytes = try system.status(of: file.path)?.bytes ?? 0
        let rendition = Manifest.Rendition(content, bytes: bytes, of: digest)
        let target = container.path(.renditions, rendition.file)
        let folder = container.path(.renditions, String(digest.rawValue.prefix(2)))
        let isStored = try container.holds(rendition) ? system.touch(target) : false
        if !isStored {
            try system.synchronise(file.file)
            // Written long ago, it would be taken for one that nobody needs.
            _ = try system.touch(file.path)
            try system.makeFolder(at: folder)
            try system.move(file.path, to: target)
        }
        // A stored one may have come from a process that has not made its entry durable yet, and its
        // folder from one that was killed before it had.
        folders.formUnion([folder, container.path(.renditions)])
        return rendition
    }

    /// Publishes the manifest: from now on readers see the notification, in place of what they saw
    /// under the same identifier before.
    ///
    /// The manifest becomes the result for its source and settings as well.
    ///
    /// - Parameter manifest: The manifest, whose renditions were added here or are in the container
    ///   already.
    /// - Throws: `ContainerError` when a rendition is not there, no reader would take the manifest, or
    ///   the volume is full or fails.
    public consuming func commit(_ manifest: Manifest) throws(ContainerError) {
        for rendition in manifest.renditions where try !container.holds(rendition) {
            throw missing(rendition)
        }
        let target = container.manifestPath(manifest.key)
        guard manifest.isCredible else {
            throw ContainerError(
                .invalidManifest, path: target,
                reason: "its ratio or a duration in it is none that a picture has")
        }
        let file = try IncomingFile(in: container)
        try file.append(VersionedJSON.encode(manifest, for: target))
        // The file before the folders: file systems with a journal then write the folders' entries
        // in the same go.
        try system.synchronise(file.file)
        for folder in folders { try container.synchroniseFolder(at: folder) }

        // The result gets its name before the manifest is published, since right after it another
        // process's manifest may stand there; and its place afterwards, when all is durable.
        let link = file.path + ".result"
        let isLinked = try system.addName(link, to: file.path)
        defer { if isLinked { _ = try? system.removeFile(at: link) } }
        // As late as can be: from now on no pruning takes them for a grace period, and those that
        // went while this waited, for the volume or suspended, are noticed.
        for rendition in manifest.renditions {
            let path = container.path(.renditions, rendition.file)
            guard try system.touch(path) else { throw missing(rendition) }
        }
        // Its age counts from here, and not from before all that waiting.
        _ = try system.touch(file.path)
        try system.move(file.path, to: target)
        try container.synchroniseFolder(at: container.path(.notifications))
        guard isLinked else { return }
        // The notification is published whether or not this helps the next one.
        try? system.move(
            link,
            to: container.resultPath(
                source: manifest.source.sha256, settings: manifest.settings))
    }

    private func missing(_ rendition: Manifest.Rendition) -> ContainerError {
        ContainerError(
            .missingRendition, path: container.path(.renditions, rendition.file),
            reason: "the manifest names it, and it is not there")
    }
}
