/// Publishes the renditions of one attachment and their manifest.
///
/// Add the renditions, then commit the manifest that names them. Until the commit, readers see
/// nothing of it; after a crash either everything is published or nothing. Uncommitted renditions
/// stay as unreferenced files.
///
/// The volume is synchronised once for every file, every folder that received a rendition, their
/// parent, and the folder of manifests.
public struct Publication: ~Copyable, Sendable {
    private let container: SharedContainer
    /// Folders with entries that are not durable yet.
    private var folders: Set<String> = []

    private var system: FileSystem { container.system }

    /// Begins a publication.
    public init(in container: SharedContainer) {
        self.container = container
    }

    /// Stores a rendition under the digest of its bytes.
    ///
    /// If the container has the same bytes, `file` is dropped and the stored file is marked as used
    /// now. The size is in pixels. `crop` is the part of the whole picture that the rendition
    /// shows; the default is nil, the whole picture.
    public mutating func add(
        _ file: consuming IncomingFile, as role: RenditionRole, type: RenditionType,
        size: PixelSize, crop: UnitRectangle? = nil
    ) throws(ContainerError) -> Manifest.Rendition {
        try add(file, as: role, type: type, size: size, crop: crop, seal: nil)
    }

    /// Stores a rendition that is encrypted under `seal`; nil for one in the clear.
    package mutating func add(
        _ file: consuming IncomingFile, as role: RenditionRole, type: RenditionType,
        size: PixelSize, crop: UnitRectangle?, seal: Manifest.Rendition.Seal?
    ) throws(ContainerError) -> Manifest.Rendition {
        try store(file, role, type.rawValue, type.fileExtension, size, crop: crop, seal: seal)
    }

    /// Stores a GIF under the digest of its bytes, with its canvas in pixels, the duration of one
    /// pass in seconds, and the number of passes, 0 for an infinite loop.
    public mutating func add(
        _ file: consuming IncomingFile, animationOf size: PixelSize, frames: Int, duration: Double,
        loopCount: Int
    ) throws(ContainerError) -> Manifest.Rendition {
        try add(
            file, animationOf: size, frames: frames, duration: duration, loopCount: loopCount,
            seal: nil)
    }

    /// Stores a GIF that is encrypted under `seal`; nil for one in the clear.
    package mutating func add(
        _ file: consuming IncomingFile, animationOf size: PixelSize, frames: Int, duration: Double,
        loopCount: Int, seal: Manifest.Rendition.Seal?
    ) throws(ContainerError) -> Manifest.Rendition {
        try store(
            file, .attachment, RenditionType.gif.rawValue, RenditionType.gif.fileExtension, size,
            duration: duration, frames: frames, loopCount: loopCount, seal: seal)
    }

    /// Stores sound or a movie under the digest of its bytes, with its size as seen, in pixels, and
    /// its playing time, in seconds, if known.
    public mutating func add(
        _ file: consuming IncomingFile, media type: MediaType, size: PixelSize?, duration: Double?
    ) throws(ContainerError) -> Manifest.Rendition {
        try store(
            file, .media, type.rawValue, type.fileExtension, size ?? .zero, duration: duration)
    }

    private mutating func store(
        _ file: consuming IncomingFile, _ role: RenditionRole, _ type: String,
        _ fileExtension: String, _ size: PixelSize, crop: UnitRectangle? = nil,
        duration: Double? = nil, frames: Int? = nil, loopCount: Int? = nil,
        seal: Manifest.Rendition.Seal? = nil
    ) throws(ContainerError) -> Manifest.Rendition {
        let digest = try ContentDigest(of: file.file, by: system)
        let bytes = ByteCount(try system.status(of: file.path)?.bytes ?? 0)
        // The name of a sealed file does not tell its type.
        let ending = seal == nil ? fileExtension : "sealed"
        let rendition = Manifest.Rendition(
            role: role, file: Manifest.Rendition.stem(digest) + ending, type: type,
            size: size, bytes: bytes, sha256: digest, crop: crop, duration: duration,
            frames: frames, loopCount: loopCount, seal: seal)
        let target = container.path(.renditions, rendition.file)
        let folder = container.path(.renditions, String(digest.rawValue.prefix(2)))
        let isStored = try container.holds(rendition) ? system.touch(target) : false
        if !isStored {
            try system.synchronise(file.file)
            // The file may have been written long ago; without a new time, pruning would take it.
            _ = try system.touch(file.path)
            try system.makeFolder(at: folder)
            try system.move(file.path, to: target)
        }
        // For a stored file too: the process that wrote it, or made its folder, may not have
        // synchronised the entry yet, or was killed before it could.
        folders.formUnion([folder, container.path(.renditions)])
        return rendition
    }

    /// Publishes the manifest, also as the result for its source and settings unless it is sealed.
    ///
    /// From now on readers see it instead of any earlier one with the same identifier. A missing
    /// rendition or a value out of range is an error.
    public consuming func commit(_ manifest: Manifest) throws(ContainerError) {
        for rendition in manifest.renditions {
            try require(rendition) { () throws(ContainerError) in try container.holds(rendition) }
        }
        let target = container.manifestPath(manifest.key)
        guard manifest.isCredible else {
            throw ContainerError(
                .invalidManifest, path: target,
                reason: "its aspect ratio or a duration is out of range")
        }
        let file = try IncomingFile(in: container)
        try file.append(container.encoded(manifest, for: target))
        // The file before the folders: journalling file systems then commit the folders' entries in
        // the same transaction.
        try system.synchronise(file.file)
        for folder in folders { try container.synchroniseFolder(at: folder) }

        // Link the result before publishing, because another process may replace the manifest right
        // afterwards. Move the link into place once everything is durable.
        // A sealed picture has none, because the name of a result is made from the picture's digest.
        let link = file.path + ".result"
        let isLinked =
            container.sealsPictures ? false : try system.addName(link, to: file.path)
        defer { if isLinked { _ = try? system.removeFile(at: link) } }
        // As late as possible: from now on a grace period protects the renditions. Those pruned
        // while this process waited or was suspended are noticed here.
        for rendition in manifest.renditions {
            try require(rendition) { () throws(ContainerError) in
                try system.touch(container.path(.renditions, rendition.file))
            }
        }
        // The manifest's age starts here, not before the waits.
        _ = try system.touch(file.path)
        try system.move(file.path, to: target)
        try container.synchroniseFolder(at: container.path(.notifications))
        guard isLinked else { return }
        // The publication is complete; a missing result only costs the next one time.
        try? system.move(
            link,
            to: container.resultPath(
                source: manifest.source.sha256, settings: manifest.settings))
    }

    /// Throws unless the rendition is there, possibly under the name that it has while a pruning
    /// checks it.
    private func require(
        _ rendition: Manifest.Rendition, _ isThere: () throws(ContainerError) -> Bool
    ) throws(ContainerError) {
        if try isThere() { return }
        try container.restore(rendition)
        guard try isThere() else {
            throw ContainerError(
                .missingRendition, path: container.path(.renditions, rendition.file),
                reason: "the manifest names it, but it is missing")
        }
    }
}
