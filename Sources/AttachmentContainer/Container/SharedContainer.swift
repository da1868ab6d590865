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

    private(set) var system: FileSystem

    private init(root: URL, interposer: (any SystemCallInterposer)?) {
        self.root = root
        system = FileSystem(interposer: interposer)
    }

    /// Opens a container for writing, and makes it where there is none.
    ///
    /// Two processes may do so at once. Before it returns it has written a file and removed it
    /// again, so that what stands in the way is known before any work is done.
    ///
    /// - Parameters:
    ///   - root: The folder. It and those above it are made when they are missing; what is in it
    ///     already stays.
    ///   - mode: The permissions of what is made from now on, by this and every other process. The
    ///     default is those that the container was given before; else what the group of the folder
    ///     may do, when the folder is there and has the set-group-ID bit or is writable for its
    ///     group; else ``ContainerMode/ownerOnly``.
    /// - Returns: The container.
    /// - Throws: `ContainerError` when the path is a file, cannot be written, or holds a container
    ///   of an unknown version or with an unreadable `thimble.json`.
    public static func create(
        at root: URL, mode: ContainerMode? = nil
    ) throws(ContainerError) -> SharedContainer {
        try create(at: root, mode: mode, interposer: nil)
    }

    /// Does the same with something between the container and the system.
    ///
    /// - Parameters:
    ///   - root: The folder.
    ///   - mode: The permissions of what is made. The default is as without.
    ///   - interposer: What stands between; nil for nothing.
    /// - Returns: The container.
    /// - Throws: `ContainerError` as without.
    package static func create(
        at root: URL, mode: ContainerMode? = nil, interposer: (any SystemCallInterposer)?
    ) throws(ContainerError) -> SharedContainer {
        var container = SharedContainer(root: root, interposer: interposer)
        let format = try container.readFormat()
        let exists = format != nil
        if let mode { container.system.mode = mode }
        try container.makeRoot()
        for folder in Folder.allCases {
            try container.system.makeFolder(at: container.path(folder))
        }
        if mode != nil { container.permitFolders() }
        let incoming = try IncomingFile(in: container)
        if format == nil || (mode != nil && format?.mode != mode?.description) {
            // Another process that is as far as this one writes the same bytes: either may be last.
            let json = try VersionedJSON.encode(
                Format(mode: mode?.description), for: container.formatPath)
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
        var container = SharedContainer(root: root, interposer: interposer)
        guard try container.readFormat() != nil else {
            throw ContainerError(
                .missing, path: root.path, reason: "there is no container at this path")
        }
        return container
    }

    /// The contents of `thimble.json`.
    private struct Format: Codable {
        var formatVersion = FormatVersion.current
        /// The permissions that were asked for, in octal digits; nil when none were.
        var mode: String?
    }

    /// Reads the format, and takes over the permissions that go with it.
    ///
    /// - Returns: The format; nil when there is no container.
    private mutating func readFormat() throws(ContainerError) -> Format? {
        let status = try system.status(of: root.path)
        if let status, !status.isFolder {
            throw ContainerError(.notAFolder, path: root.path, reason: "it is not a folder")
        }
        let format = try VersionedJSON.read(Format.self, at: formatPath, by: system)
        system.mode =
            format?.mode.flatMap { ContainerMode(octal: $0) }
            ?? status.flatMap { ContainerMode(sharedBy: $0.permissions) } ?? .ownerOnly
        return format
    }

    /// Gives the folders that are there the container's permissions.
    private func permitFolders() {
        system.permitFolder(root.path)
        for folder in Folder.allCases { system.permitFolder(path(folder)) }
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
            // Those above are not the container's.
            try system.makeFolder(at: folder.path, isOwn: folder == missing.first)
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
