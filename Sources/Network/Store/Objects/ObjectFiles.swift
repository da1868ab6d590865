public import AttachmentContainer
import AttachmentPublishing
import Foundation

/// Files in a store under keys of the caller's choice, with one attempt for each request.
///
/// Unlike an ``ObjectPublisher``'s objects, they have no records in a container and are not pruned.
/// The store is not asked whether it has them.
public final class ObjectFiles: Sendable {
    private let store: any ObjectStoring
    private let destination: StoreDestination
    private let folder: String
    private let baseURL: String?

    /// Opens a store without contacting it.
    ///
    /// - Parameters:
    ///   - destination: The bucket or folder.
    ///   - folder: A folder for unnamed files.
    ///   - maximumRequests: Maximum number of requests at once, which the caller keeps.
    ///   - maximumBytes: Ceiling on a file that is read.
    ///   - baseURL: URL under which the destination is served; nil for the store's own.
    ///   - access: Credentials, sandbox and permissions.
    /// - Throws: `StoreError` for missing credentials or invalid permissions.
    public init(
        in destination: StoreDestination, folder: String, maximumRequests: Int,
        maximumBytes: ByteCount, baseURL: String? = nil, access: StoreAccess
    ) throws(StoreError) {
        self.destination = destination
        self.baseURL = baseURL
        self.folder = folder
        store = try access.open(
            destination, folder: folder, requests: maximumRequests,
            maximumBytes: maximumBytes.bytes)
    }

    /// Fetches a file.
    ///
    /// - Parameters:
    ///   - key: The file's key.
    ///   - bytes: Ceiling on its length, in bytes. The default is the ceiling of all files.
    ///   - limit: Time for the request.
    /// - Returns: The file, open for reading; nil if it is missing.
    /// - Throws: `StoreError` of this one attempt.
    public func file(
        _ key: String, limit bytes: Int = .max, within limit: Duration
    ) async throws(StoreError) -> OwnedDescriptor? {
        try check(key)
        return try await store.get(key, atMost: bytes, within: limit)
    }

    /// The bytes of a small file, at most `limit` of them; nil if it is missing.
    public func contents(
        of key: String, limit bytes: Int, within limit: Duration
    ) async throws(StoreError) -> [UInt8]? {
        try check(key)
        guard let file = try await store.get(key, atMost: bytes, within: limit) else { return nil }
        return try await BlockingWork.run { [destination] () throws(StoreError) in
            var contents = [UInt8](repeating: 0, count: bytes + 1)
            var count = 0
            while count < contents.count {
                let some = contents[count...].withUnsafeMutableBytes {
                    pread(file.descriptor, $0.baseAddress, $0.count, off_t(count))
                }
                if some < 0, errno == EINTR { continue }
                guard some > 0 else { break }
                count += some
            }
            guard count <= bytes else {
                throw StoreError(
                    .tooLarge, destination: destination.description,
                    reason: "a file is longer than \(bytes) bytes")
            }
            return Array(contents[..<count])
        }
    }

    /// Stores a small file, in place of one under the same key.
    public func store(
        _ bytes: [UInt8], as key: String, contentType: String, within limit: Duration
    ) async throws(StoreError) {
        let (folder, destination) = (folder, destination)
        let file = try await BlockingWork.run { () throws(StoreError) in
            do throws(ContainerError) {
                let file = try OwnedDescriptor(smallUnnamedFileIn: folder)
                guard
                    bytes.withUnsafeBytes({ write(file.descriptor, $0.baseAddress, $0.count) })
                        == bytes.count
                else {
                    throw ContainerError(
                        .full, path: folder, reason: "a temporary file cannot be written")
                }
                return file
            } catch {
                throw StoreError(
                    .storage, destination: destination.description, reason: error.reason)
            }
        }
        try await store(
            file, bytes: bytes.count, digest: ContentDigest(of: bytes), as: key,
            contentType: contentType, within: limit)
    }

    /// Stores a file, in place of one under the same key.
    public func store(
        _ file: OwnedDescriptor, bytes: Int, digest: ContentDigest, as key: String,
        contentType: String, within limit: Duration
    ) async throws(StoreError) {
        try check(key)
        let object = StoredObject(
            file: key, bytes: bytes, digest: digest, contentType: contentType)
        try await store.put(object, file, within: limit)
    }

    /// Stores a rendition, under the name that an ``ObjectPublisher`` gives it.
    ///
    /// - Parameters:
    ///   - body: The rendition's file.
    ///   - rendition: Its name, length and digest.
    ///   - limit: Time for the request.
    /// - Returns: Its URL.
    /// - Throws: `StoreError` of this one attempt.
    public func store(
        _ body: OwnedDescriptor, of rendition: Manifest.Rendition, within limit: Duration
    ) async throws(StoreError) -> String {
        try await store.put(StoredObject(rendition), body, within: limit)
        return destination.url(of: rendition.file, servedUnder: baseURL)
    }

    /// True if a file of that length is there.
    public func holds(
        _ key: String, bytes: Int, within limit: Duration
    ) async throws(StoreError) -> Bool {
        try check(key)
        return try await store.holds(
            StoredObject(
                file: key, bytes: bytes, digest: ContentDigest(of: ""),
                contentType: "application/octet-stream"), within: limit)
    }

    /// Removes a file; succeeds if it is missing.
    public func remove(_ key: String, within limit: Duration) async throws(StoreError) {
        try check(key)
        try await store.remove(key, within: limit)
    }

    /// Difference of the store's clock from this one in its last answer; nil before the first, and for a
    /// folder.
    public var clockDifference: Duration? { store.clockDifference }

    /// Ends the transfers, and with them the process that makes them.
    public func close() async { await store.close() }

    /// True for a key that a file can have: it becomes part of URLs and paths without encoding.
    public static func isKey(_ key: String) -> Bool {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && !part.utf8.starts(with: ".".utf8)
                && part.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                        || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
                }
        }
        return isSafe && key.utf8.count <= 512
    }

    private func check(_ key: String) throws(StoreError) {
        guard Self.isKey(key) else {
            throw StoreError(
                .invalidDestination, destination: destination.description,
                reason: "a key must be names of letters, digits, '-', '.' and '_' between slashes")
        }
    }
}
