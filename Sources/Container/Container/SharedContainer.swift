public import Foundation

/// The folder through which renditions and manifests pass from the producing process to the content
/// extension.
///
/// ```
/// thimble.json                     the format version
/// thimble.pruning                  the time of the last pruning by a service, which locks it
/// renditions/ab/<sha256>.jpg       pictures, named by their bytes and never changed
/// renditions/ab/<sha256>.sealed    pictures encrypted for the app, named by their ciphertext
/// notifications/<key>.json         one manifest a notification; the key is the digest of its
///                                  identifier
/// results/<key>.json               the same manifests (hard links) by source and settings, for
///                                  reuse with identical bytes
/// pinned/<key>                     notifications to keep
/// published/<sha256>.jpg           renditions whose URLs were given out
/// published/<key>/                 objects in a store: its description, and a record of each object
/// fetched/                         attachments by URL, a cache of the fetcher
/// incoming/                        unfinished files
/// ```
///
/// Any number of processes may read and write at the same time. Apps take no locks, because the
/// system kills a suspended process that holds one in an App Group. Every file is renamed into
/// place, so readers see it whole or not at all. Pruning renames a file to end in `.condemned`
/// before it removes the file.
public struct SharedContainer: Sendable {
    /// The folder.
    public let root: URL

    private(set) var system: FileSystem
    /// The source of the key that seals pictures; nil to publish in the clear.
    var sealingKeys: (any SealingKeyProviding)?

    private init(root: URL, interposer: (any SystemCallInterposer)?) {
        self.root = root
        system = FileSystem(interposer: interposer)
    }

    /// Opens a container for writing, creating it and missing folders on the path if necessary.
    ///
    /// It writes and removes a test file, so that access problems show before any work is done.
    /// `mode` sets the permissions of new files and folders, for all processes. The default is the
    /// container's recorded mode, else the group permissions of a folder that is set-group-ID or
    /// group-writable, else ``ContainerMode/ownerOnly``. `protection` applies to pictures and manifests
    /// written through the result, by default ``DataProtection/afterFirstUnlock``. The format's
    /// file has that class at most, so that a locked device can still open the container.
    public static func create(
        at root: URL, mode: ContainerMode? = nil, protection: DataProtection = .afterFirstUnlock
    ) throws(ContainerError) -> SharedContainer {
        try create(at: root, mode: mode, protection: protection, interposer: nil)
    }

    /// With a system-call interposer, for tests.
    package static func create(
        at root: URL, mode: ContainerMode? = nil, protection: DataProtection = .afterFirstUnlock,
        interposer: (any SystemCallInterposer)?
    ) throws(ContainerError) -> SharedContainer {
        var container = SharedContainer(root: root, interposer: interposer)
        container.system.protection = protection == .always ? .always : .afterFirstUnlock
        let format = try container.readFormat()
        let exists = format != nil
        if let mode { container.system.mode = mode }
        let parents = try container.makeRoot()
        for folder in Folder.allCases {
            try container.system.makeFolder(at: container.path(folder))
        }
        if mode != nil { container.permitFolders() }
        let incoming = try IncomingFile(in: container)
        if format == nil || (mode != nil && format?.mode != mode?.description) {
            // Another process at the same point writes the same bytes, so the order does not
            // matter.
            let json = try VersionedJSON.encode(
                Format(mode: mode?.description), for: container.formatPath)
            try incoming.append(json)
            try container.system.synchronise(incoming.file)
            try container.system.move(incoming.path, to: container.formatPath)
        }
        // The process that created the root may have been killed before it synchronised the entry.
        try container.synchroniseFolder(at: root.path)
        // Last, because journalling file systems have then committed these entries with the others.
        for parent in parents { try container.synchroniseFolder(at: parent) }
        if !exists { container.excludeFromBackup() }
        container.system.protection = protection
        return container
    }

    /// Opens an existing container for reading.
    public static func open(at root: URL) throws(ContainerError) -> SharedContainer {
        try open(at: root, interposer: nil)
    }

    /// With a system-call interposer, for tests.
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

    private struct Format: Codable {
        var formatVersion = FormatVersion.current
        var mode: String?
    }

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

    private func permitFolders() {
        system.permitFolder(root.path)
        for folder in Folder.allCases { system.permitFolder(path(folder)) }
    }

    /// Creates the root and missing folders above it; returns those that received an entry.
    private func makeRoot() throws(ContainerError) -> [String] {
        var missing: [URL] = []
        var folder = root.standardizedFileURL
        while try system.status(of: folder.path) == nil {
            missing.append(folder)
            folder.deleteLastPathComponent()
        }
        for folder in missing.reversed() {
            // Parents do not belong to the container.
            try system.makeFolder(at: folder.path, isOwn: folder == missing.first)
        }
        return missing.map { $0.deletingLastPathComponent().path }
    }

    /// Renditions can be recreated, so they need no backup.
    private func excludeFromBackup() {
        #if canImport(Darwin)
            var url = root
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            // A volume that cannot store the attribute is not part of the device's backup.
            try? url.setResourceValues(values)
        #endif
    }
}

extension SharedContainer {
    enum Folder: String, CaseIterable {
        case renditions, notifications, results, pinned, published, fetched, incoming
    }

    var formatPath: String { "\(root.path)/thimble.json" }

    /// Path of the folder for files that are not published yet.
    ///
    /// Renditions are renamed from it, so it is on their volume. Pruning removes abandoned files.
    public var incomingFolder: String { path(.incoming) }

    /// The protection of files written through this value.
    package var protection: DataProtection { system.protection }

    /// The same container with another protection of files written through it.
    package func protected(as protection: DataProtection) -> SharedContainer {
        var container = self
        container.system.protection = protection
        return container
    }

    func path(_ folder: Folder) -> String { "\(root.path)/\(folder.rawValue)" }

    func path(_ folder: Folder, _ name: String) -> String { "\(path(folder))/\(name)" }

    func manifestPath(_ key: ContentDigest) -> String { path(.notifications, "\(key).json") }

    func resultPath(source: ContentDigest, settings: String) -> String {
        path(.results, "\(ContentDigest(of: "\(source)\(settings)")).json")
    }

    /// The file of a rendition, which must not be moved: clone it to attach it.
    ///
    /// The file may be missing, because renditions are evicted before manifests.
    public func url(of rendition: Manifest.Rendition) -> URL {
        URL(fileURLWithPath: path(.renditions, rendition.file))
    }

    func holds(_ rendition: Manifest.Rendition) throws(ContainerError) -> Bool {
        let status = try system.status(of: path(.renditions, rendition.file))
        return status?.isFile == true && status?.bytes == rendition.bytes.bytes
    }

    func synchroniseFolder(at path: String) throws(ContainerError) {
        if let folder = try system.openFolder(at: path) { try system.synchronise(folder) }
    }
}
