public import Foundation

/// A new file in the container that nobody reads yet.
///
/// It has a name of its own in `incoming/` until a `Publication` takes it. Let go of without that,
/// it is removed.
public struct IncomingFile: ~Copyable, Sendable {
    let file: OpenFile
    private let system: FileSystem

    /// Makes an empty file.
    ///
    /// - Parameter container: The container that it is for.
    /// - Throws: `ContainerError` when the system refuses, or the volume is full.
    public init(in container: SharedContainer) throws(ContainerError) {
        system = container.system
        file = try system.createFile(at: container.newIncomingPath)
    }

    /// Makes a file with the bytes of another, of which the volume keeps one copy where it can.
    ///
    /// Whoever changes either of them later changes only that one. The bytes do not pass through
    /// more memory than a buffer of 64 KiB.
    ///
    /// - Parameters:
    ///   - source: The other, open for reading; its offset stays where it is.
    ///   - bytes: Its length: what it grows to meanwhile is left out, unless the volume shares it.
    ///   - container: The container that the file is for.
    /// - Throws: `ContainerError` when the system refuses, or the volume is full.
    public init(
        copying source: Int32, bytes: ByteCount, in container: SharedContainer
    ) throws(ContainerError) {
        system = container.system
        file = try system.copyFile(
            source, bytes.bytes, to: container.newIncomingPath, sharesBlocks: true)
    }

    /// Makes a file with the bytes that another has now, each of them read once.
    ///
    /// No descriptor of the other leads to it, so that nobody who has one can change it any more.
    ///
    /// - Parameters:
    ///   - source: The other, open for reading; its offset stays where it is.
    ///   - bytes: How many are read at most.
    ///   - container: The container that the file is for.
    /// - Throws: `ContainerError` when the system refuses, or the volume is full.
    package init(
        sealing source: Int32, bytes: ByteCount, in container: SharedContainer
    ) throws(ContainerError) {
        system = container.system
        file = try system.copyFile(
            source, bytes.bytes, to: container.newIncomingPath, sharesBlocks: false)
    }

    deinit {
        // Nothing is there any more once it is published; otherwise stale files are swept later.
        _ = try? system.removeFile(at: file.path)
    }

    /// The descriptor, open for reading and writing, for an encoder to write to.
    ///
    /// It is closed when the file is published or let go of.
    public var descriptor: Int32 { file.descriptor }

    /// The path, while the file is in `incoming/`.
    package var path: String { file.path }

    /// Writes all bytes at the descriptor's position.
    ///
    /// - Parameter bytes: What to write.
    /// - Throws: `ContainerError` when the volume is full or fails.
    public func append(_ bytes: Data) throws(ContainerError) {
        try system.append(bytes, to: file)
    }

    /// Empties the file, so that it can be written once more from the start.
    ///
    /// - Throws: `ContainerError` when the volume fails.
    public func truncate() throws(ContainerError) {
        try system.empty(file)
    }
}

extension SharedContainer {
    /// Where the next unfinished file goes.
    fileprivate var newIncomingPath: String {
        path(.incoming, UUID().uuidString)
    }

    /// Removes what processes that came to an end left in `incoming/`.
    ///
    /// - Parameter age: How long a file must not have been written to. The default is one hour.
    /// - Returns: How many files were removed.
    /// - Throws: `ContainerError` when the folder cannot be read or changed.
    @discardableResult
    public func removeStaleIncoming(
        olderThan age: Duration = SharedContainer.incomingLifetime
    ) throws(ContainerError) -> Int {
        let names = try FolderListing(of: path(.incoming), by: system)
        var removed = 0
        while let name = try names.next() {
            let path = path(.incoming, name)
            guard try isStale(path, olderThan: age), try system.removeFile(at: path) else {
                continue
            }
            removed += 1
        }
        return removed
    }

    /// How long a file in `incoming/` may stand unchanged: an hour, where an attachment takes
    /// seconds, since its writer may have been suspended meanwhile.
    public static let incomingLifetime = Duration.seconds(3600)

    /// Whether nobody has written to a file for some time.
    func isStale(
        _ path: String, olderThan age: Duration = incomingLifetime
    ) throws(ContainerError) -> Bool {
        guard let status = try system.status(of: path), status.isFile else { return false }
        return status.modified.timeIntervalSinceNow < -(age / .seconds(1))
    }
}
