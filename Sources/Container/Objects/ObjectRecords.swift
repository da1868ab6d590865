package import Foundation

/// The records of the objects that a container published to one destination.
///
/// They lie in `published/<key>/`: `destination.json`, and for each object a file with the name of its
/// rendition and the time of its last use. The key, half a digest, is no name of a rendition, so
/// earlier releases ignore the folder.
package struct ObjectRecords: Sendable {
    /// Use of a record, which decides on its lock.
    package enum Access: Sendable {
        /// For a publisher; the record is created if it is missing.
        case publishing
        /// For a publisher; a missing record stays missing.
        case renewing
        case removing
    }

    package enum Opening: Sendable {
        case opened(ObjectRecord, isNew: Bool)
        /// Another process has a lock that excludes this access.
        case busy
        case missing
    }

    /// A record in a listing, without a lock.
    package struct Entry: Sendable {
        /// Path of the rendition, relative to the folder of renditions, which is the object's name too.
        package let file: String
        package let lastUse: Date
        package let state: ObjectRecord.State
    }

    private static let description = "destination.json"
    /// Repetitions of an opening whose file is removed meanwhile, before the record counts as busy.
    private static let maximumOpenings = 16

    private let container: SharedContainer
    package let key: String

    private var folder: String { container.path(.published, key) }
    private var descriptionPath: String { "\(folder)/\(Self.description)" }

    /// The records of the destination with an identity, such as its URL.
    package init(of identity: String, in container: SharedContainer) {
        self.init(container, String(ContentDigest(of: identity).rawValue.prefix(32)))
    }

    private init(_ container: SharedContainer, _ key: String) {
        self.container = container
        self.key = key
    }

    /// The records of all destinations.
    package static func all(in container: SharedContainer) throws(ContainerError) -> [ObjectRecords]
    {
        let names = try FolderListing(of: container.path(.published), by: container.system)
        var keys: [String] = []
        while let name = try names.next() {
            if isKey(name) { keys.append(name) }
        }
        return keys.sorted().map { ObjectRecords(container, $0) }
    }

    static func isKey(_ name: String) -> Bool {
        name.utf8.count == 32 && name.allSatisfy(\.isHexDigit)
    }

    /// Creates the folder with the description of the destination.
    package func create(describedBy destination: some Encodable) throws(ContainerError) {
        let system = container.system
        if try system.status(of: descriptionPath)?.isFile == true { return }
        try system.makeFolder(at: folder)
        let file = try IncomingFile(in: container)
        try file.append(VersionedJSON.encode(destination, for: descriptionPath))
        try system.synchronise(file.file)
        try system.move(file.path, to: descriptionPath)
        try container.synchroniseFolder(at: folder)
        try container.synchroniseFolder(at: container.path(.published))
    }

    /// The description of the destination; nil if it is missing.
    package func destination<Value: Decodable>(
        as type: Value.Type
    ) throws(ContainerError) -> Value? {
        try VersionedJSON.read(type, at: descriptionPath, by: container.system)
    }

    /// Opens and locks the record of a rendition, without waiting.
    package func open(_ file: String, for access: Access) throws(ContainerError) -> Opening {
        let path = path(of: file)
        let lock = access == .removing ? LOCK_EX : LOCK_SH
        for _ in 0..<Self.maximumOpenings {
            let isNew = access == .publishing ? try container.system.makeEmptyFile(at: path) : false
            let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            guard descriptor >= 0 else {
                if errno != ENOENT {
                    throw ContainerError("open", path, errno, denied: .notWritable)
                }
                guard access == .publishing else { return .missing }
                continue
            }
            let record = ObjectRecord(OwnedDescriptor(descriptor), path: path)
            guard flock(descriptor, lock | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { return .busy }
                throw ContainerError("flock", path, errno, denied: .notWritable)
            }
            // A pruning may have removed the file between the two calls.
            guard !record.isRemoved else { continue }
            // Before the object exists, so that none is forgotten after a power failure.
            if isNew { try container.synchroniseFolder(at: folder) }
            return .opened(record, isNew: isNew)
        }
        return .busy
    }

    /// Visits all records; skips names that no rendition has.
    package func visit(_ body: (Entry) throws(ContainerError) -> Void) throws(ContainerError) {
        let names = try FolderListing(of: folder, by: container.system)
        while let name = try names.next() {
            guard let file = SharedContainer.publishedFile(of: name),
                let status = try container.system.status(of: path(of: file)), status.isFile
            else { continue }
            let bytes = FileManager.default.contents(atPath: path(of: file)) ?? Data()
            try body(
                Entry(
                    file: file, lastUse: status.modified, state: ObjectRecord.state(in: bytes)))
        }
    }

    private func path(of file: String) -> String { "\(folder)/\(file.dropFirst(3))" }
}

extension SharedContainer {
    /// Visits the renditions whose URLs were given out while the container itself is served, with the
    /// times of their last use.
    package func visitPublished(
        _ body: (_ file: String, _ bytes: ByteCount, _ lastUse: Date) -> Void
    ) throws(ContainerError) {
        let names = try FolderListing(of: path(.published), by: system)
        while let name = try names.next() {
            guard let file = Self.publishedFile(of: name),
                let status = try system.status(of: publishedPath(file)), status.isFile
            else { continue }
            body(
                file, ByteCount(try system.status(of: path(.renditions, file))?.bytes ?? 0),
                status.modified)
        }
    }

    /// Opens a rendition for reading.
    ///
    /// - Throws: `ContainerError` with the code `missing-rendition` for a file that was removed or has
    ///   another length than the manifest says.
    public func openRendition(
        _ rendition: Manifest.Rendition
    ) throws(ContainerError) -> OwnedDescriptor {
        let path = path(.renditions, rendition.file)
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                throw ContainerError(
                    .missingRendition, path: path, reason: "the rendition was removed")
            }
            throw ContainerError("open", path, errno, denied: .unreadable)
        }
        let file = OwnedDescriptor(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int(status.st_size) == rendition.bytes.bytes else {
            throw ContainerError(
                .missingRendition, path: path, reason: "the rendition's file is damaged")
        }
        return file
    }
}
