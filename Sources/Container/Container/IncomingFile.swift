public import Foundation

/// A new file, with a unique name in `incoming/` until a `Publication` consumes it.
///
/// Otherwise it is removed on deinitialisation.
public struct IncomingFile: ~Copyable, Sendable {
    let file: OpenFile
    private let system: FileSystem

    /// Creates an empty file in a container.
    public init(in container: SharedContainer) throws(ContainerError) {
        system = container.system
        file = try system.createFile(at: container.newIncomingPath)
    }

    /// Creates a copy of a file, sharing its blocks where the volume can.
    ///
    /// Later changes of one file do not affect the other, and the offset of `source` does not move.
    /// A file shorter than `bytes` is an error; bytes appended meanwhile are copied only with
    /// shared blocks.
    public init(
        copying source: Int32, bytes: ByteCount, in container: SharedContainer
    ) throws(ContainerError) {
        system = container.system
        file = try system.copyFile(
            source, bytes.bytes, to: container.newIncomingPath, sharesBlocks: true)
    }

    /// Copies at most `bytes` bytes, each read once, without sharing blocks: no holder of a
    /// descriptor of the original can change the copy.
    package init(
        sealing source: Int32, bytes: ByteCount, in container: SharedContainer
    ) throws(ContainerError) {
        system = container.system
        file = try system.copyFile(
            source, bytes.bytes, to: container.newIncomingPath, sharesBlocks: false)
    }

    deinit {
        // A published file no longer has this path. If the removal fails, the file is swept once it
        // is stale.
        _ = try? system.removeFile(at: file.path)
    }

    /// The descriptor, open for reading and writing until the file is published or deinitialised.
    public var descriptor: Int32 { file.descriptor }

    package var path: String { file.path }

    /// Writes all bytes at the descriptor's position.
    public func append(_ bytes: Data) throws(ContainerError) {
        try system.append(bytes, to: file)
    }

    /// Truncates the file and rewinds the descriptor.
    public func truncate() throws(ContainerError) {
        try system.empty(file)
    }
}

extension SharedContainer {
    fileprivate var newIncomingPath: String {
        path(.incoming, UUID().uuidString)
    }

    /// Removes files that interrupted processes left in `incoming/`, and returns their number.
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

    /// Lifetime of an unchanged file in `incoming/`: one hour, as its writer may be suspended.
    public static let incomingLifetime = Duration.seconds(3600)

    func isStale(
        _ path: String, olderThan age: Duration = incomingLifetime
    ) throws(ContainerError) -> Bool {
        guard let status = try system.status(of: path), status.isFile else { return false }
        return status.modified < system.steadyNow - age / .seconds(1)
    }
}
