public import Foundation

/// The folder in which renditions and manifests pass from the process that makes them to the
/// content extension that shows them.
///
/// ```
/// thimble.json                     the format version
/// renditions/ab/<sha256>.jpg       pictures, named by their bytes and never changed
/// notifications/<key>.json         one manifest a notification; the key is the digest of its
///                                  identifier
/// results/<key>.json               the same manifests (hard links) by source and settings, so that
///                                  the same bytes are processed once
/// pinned/<key>                     notifications to keep
/// published/<sha256>.jpg           renditions whose URLs were given out
/// incoming/                        files that are being written
/// ```
///
/// Any number of processes may read and write at the same time. There are no locks: the system
/// kills a suspended process that holds one in an App Group. Every file appears by being renamed
/// into place, so a reader sees all of it or nothing; and one that pruning is about to remove is
/// first renamed to end in `.condemned`.
public struct SharedContainer: Sendable {
    /// The folder.
    public let root: URL

    let system: FileSystem
    /// What the names of files in `incoming/` begin with; nil for nothing.
    private(set) var writer: String?

    private init(root: URL, interposer: (any SystemCallInterposer)?) {
        self.root = root
        system = FileSystem(interposer: interposer)
    }

    /// The same container, whose unfinished files can be told from those of others.
    ///
    /// - Parameter writer: What their names begin with; unique among those who write.
    /// - Returns: The container.
    package func writing(as writer: String) -> SharedContainer {
        var container = self
        container.writer = writer
        return container
    }

    /// Opens a container for writing, and makes it where there is none.
    ///
    /// Two processes may do so at once. Before it returns it has written a file and removed it
    /// again, so that what stands in the way is known before any work is done.
    ///
    /// - Parameter root: The folder. It and those above it are made when they are missing; what is
    ///   in it already stays.
    /// - Returns: The container.
    /// - Throws: `ContainerError` when the path is a file, cannot be written, or holds a container
    ///   of an unknown version or with an unreadable `thimble.json`.
    public static func create(at root: URL) throws(ContainerError) -> SharedContainer {
        try create(at: root, interposer: nil)
    }

    /// Does the same with something between the container and the system.
    ///
    /// - Parameters:
    ///   - root: The folder.
    ///   - interposer: What stands between; nil for nothing.
    /// - Returns: The container.
    /// - Throws: `ContainerError` as without.
    package static func create(
        at root: URL, interposer: (any SystemCallInterposer)?
    ) throws(ContainerError) -> SharedContainer {
        let container = SharedContainer(root: root, interposer: interposer)
        let exists = try container.checkFormat()
        try container.makeRoot()
        for folder in Folder.allCases {
            try container.system.makeFolder(at: container.path(folder))
        }
        let incoming = try IncomingFile(in: container)
        if !exists {
            // Another process that is as far as this one writes the same bytes: either may be last.
            let json = try VersionedJSON.encode(VersionedJSON.Header(), for: container.formatPath)
            try incoming.append(json)
            try container.system.synchronise(incoming.file)
            try container.system.move(incoming.path, to: container.formatPath)
        }
        // Who made it may have been killed before this.
        try container.synchroniseFolder(at: root.path)
        if !exists { container.excludeFromBackup() }
        return container
    }

    /// Opens an existing container for reading.
    ///
    /// - Parameter root: The folder.
    /// - Returns: The container.
    /// - Throws: `ContainerError` when there is no container at the path, or one of an unknown
    ///   version or with an unreadable `thimble.json`.
    public static func open(at root: URL) throws(ContainerError) -> SharedContainer {
        try open(at: root, interposer: nil)
    }

    /// Does the same with something between the container and the system.
    ///
    /// - Parameters:
    ///   - root: The folder.
    ///   - interposer: What stands between; nil for nothing.
    /// - Returns: The container.
    /// - Throws: `ContainerError` as without.
    package static func open(
        at root: URL, interposer: (any SystemCallInterposer)?
    ) throws(ContainerError) -> SharedContainer {
        let container = SharedContainer(root: root, interposer: interposer)
        guard try container.checkFormat() else {
            throw ContainerError(
                .missing, path: root.path, reason: "there is no container at this path")
        }
        return container
    }

    /// - Returns: Whether there is a container.
    private func checkFormat() throws(ContainerError) -> Bool {
        if let status = try system.status(of: root.path), !status.isFolder {
            throw ContainerError(.notAFolder, path: root.path, reason: "it is not a folder")
        }
        return try VersionedJSON.read(VersionedJSON.Header.self, at: formatPath, by: system) != nil
    }

    /// Makes the root and what is missing above it, durably.
    private func makeRoot() throws(ContainerError) {
        var missing: [URL] = []
        var folder = root.standardizedFileURL
        while try system.status(of: folder.path) == nil {
            missing.append(folder)
            folder.deleteLastPathComponent()
        }
        for folder in missing.reversed() {
            try system.makeFolder(at: folder.path)
            try synchroniseFolder(at: folder.deletingLastPathComponent().path)
        }
    }

    /// Renditions can be made again from what the server sent.
    private func excludeFromBackup() {
        #if canImport(Darwin)
            var url = root
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            // A volume that cannot remember it is not backed up by the device either.
            try? url.setResourceValues(values)
        #endif
    }
}

extension SharedContainer {
    /// The folders of the layout.
    enum Folder: String, CaseIterable {
        case renditions, notifications, results, pinned, published, incoming
    }

    var formatPath: String { "\(root.path)/thimble.json" }

    /// The folder for what is being made, on the same volume as everything else.
    package var incomingFolder: String { path(.incoming) }

    func path(_ folder: Folder) -> String { "\(root.path)/\(folder.rawValue)" }

    func path(_ folder: Folder, _ name: String) -> String { "\(path(folder))/\(name)" }

    /// Where the manifest with a key stands.
    func manifestPath(_ key: ContentDigest) -> String { path(.notifications, "\(key).json") }

    /// Where the result for a source and settings stands.
    func resultPath(source: ContentDigest, settings: String) -> String {
        path(.results, "\(ContentDigest(of: "\(source)\(settings)")).json")
    }

    /// Where a rendition's file stands.
    ///
    /// - Parameter rendition: A rendition of this container.
    /// - Returns: The file, which may be read and must not be moved.
    package func url(of rendition: Manifest.Rendition) -> URL {
        URL(fileURLWithPath: path(.renditions, rendition.file))
    }

    /// Whether a rendition's file is there with the right length.
    func holds(_ rendition: Manifest.Rendition) throws(ContainerError) -> Bool {
        let status = try system.status(of: path(.renditions, rendition.file))
        return status?.isFile == true && status?.bytes == rendition.bytes.bytes
    }

    /// Makes a folder's entries durable.
    func synchroniseFolder(at path: String) throws(ContainerError) {
        if let folder = try system.openFolder(at: path) { try system.synchronise(folder) }
    }
}
