package import Foundation

/// A cache of fetched attachments: `<sha256>.body` by the digest of its bytes, and `<key>.json` for
/// each URL.
///
/// A description is written after its body, and a reader that misses the body treats the entry as
/// missing. So any process may remove any file at any time, and files need not be durable.
extension SharedContainer {
    /// Limit on the length of a description, in bytes.
    package static let fetchedDescriptionCeiling = 32 << 10

    /// Time after its last use when pruning removes a fetched file: seven days.
    package static let fetchedLifetime = Duration.seconds(7 * 86_400)

    /// The description stored for a key; nil if missing or unreadable.
    package func fetchedDescription(_ key: ContentDigest) -> Data? {
        guard let file = try? system.openFile(at: descriptionPath(key)) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.fetchedDescriptionCeiling, alignment: 16)
        defer { buffer.deallocate() }
        guard let count = try? system.fill(buffer, from: file, at: 0) else { return nil }
        return Data(buffer[..<count])
    }

    /// Opens a fetched body for reading; nil if it is missing.
    ///
    /// After a power failure a file may be shorter or have other bytes: it is removed.
    package func fetchedBody(_ digest: ContentDigest) -> OwnedDescriptor? {
        let path = bodyPath(digest)
        guard let file = try? system.openFile(at: path) else { return nil }
        guard (try? ContentDigest(of: file, by: system)) == digest else {
            _ = try? system.removeFile(at: path)
            return nil
        }
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : OwnedDescriptor(copy)
    }

    /// Gives an unnamed file its place in the cache; copies it where the system cannot.
    package func storeFetched(
        _ body: OwnedDescriptor, bytes: ByteCount, as digest: ContentDigest
    ) throws(ContainerError) {
        let target = bodyPath(digest)
        system.permit(body.descriptor)
        #if os(Linux)
            // The link in /proc leads to the open file (open(2), O_TMPFILE).
            let link = "/proc/self/fd/\(body.descriptor)"
            if linkat(AT_FDCWD, link, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 { return }
            if errno == EEXIST, try system.touch(target) { return }
        #endif
        let copy = try IncomingFile(copying: body.descriptor, bytes: bytes, in: self)
        try system.move(copy.path, to: target)
    }

    /// Replaces the description for a key.
    package func storeFetched(
        description: Data, for key: ContentDigest
    ) throws(ContainerError) {
        let file = try IncomingFile(in: self)
        try file.append(description)
        try system.move(file.path, to: descriptionPath(key))
    }

    /// Marks an entry as used now.
    package func useFetched(_ key: ContentDigest, body: ContentDigest) {
        _ = try? system.touch(descriptionPath(key))
        _ = try? system.touch(bodyPath(body))
    }

    /// Removes an entry's description.
    package func removeFetched(_ key: ContentDigest) {
        _ = try? system.removeFile(at: descriptionPath(key))
    }

    /// Removes files that were not used for `maximumAge`, then those used longest ago until the rest
    /// has at most `maximumBytes`.
    package func sweepFetched(maximumBytes: ByteCount, maximumAge: Duration) {
        var files: [(path: String, status: FileSystem.Status)] = []
        system.visit(path(.fetched)) { _, path throws(ContainerError) in
            guard let status = try system.status(of: path), status.isFile else { return }
            files.append((path, status))
        } onFailure: { _ in
        }
        let oldest = system.steadyNow - maximumAge / .seconds(1)
        var bytes = files.reduce(0) { $0 + $1.status.bytes }
        for file in files.sorted(by: { $0.status.modified < $1.status.modified }) {
            guard file.status.modified < oldest || bytes > maximumBytes.bytes else { return }
            _ = try? system.removeFile(at: file.path)
            bytes -= file.status.bytes
        }
    }

    static func isFetchedName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 && ["body", "json"].contains(parts[1])
            && ContentDigest(rawValue: parts[0]) != nil
    }

    private func descriptionPath(_ key: ContentDigest) -> String { path(.fetched, "\(key).json") }

    private func bodyPath(_ digest: ContentDigest) -> String { path(.fetched, "\(digest).body") }
}
