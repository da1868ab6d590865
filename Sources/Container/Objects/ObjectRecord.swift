package import Foundation

/// The open record of one object in a store, locked until deinitialisation.
///
/// Publishers share the lock; a pruning has it alone. The system releases it when the process ends,
/// however it ends.
package final class ObjectRecord: Sendable {
    /// The contents of a record, which is changed in place: a new file would have another lock.
    package struct State: Codable, Sendable, Hashable {
        /// Length of the object, in bytes; nil until it is published.
        package var bytes: Int?
        /// Time of the last proof that the object is there, in seconds since 1970; nil without one.
        package var verified: Int?
        /// Time when a pruning began to remove the object, in seconds since 1970; nil before.
        ///
        /// If the record is not locked, that pruning was interrupted, and its request may still be on
        /// the way.
        package var removing: Int?

        package init() {}
    }

    /// Fixed length of the contents, padded with spaces; longer than any encoded state.
    ///
    /// One write of less than a sector is whole or missing after a crash.
    private static let length = 160

    private let file: OwnedDescriptor
    private let path: String

    init(_ file: OwnedDescriptor, path: String) {
        self.file = file
        self.path = path
    }

    /// The state; empty for a new or damaged record.
    package var state: State {
        var bytes = Data(count: Self.length)
        let count = bytes.withUnsafeMutableBytes {
            pread(file.descriptor, $0.baseAddress, $0.count, 0)
        }
        return Self.state(in: bytes.prefix(max(0, count)))
    }

    static func state(in bytes: Data) -> State {
        (try? JSONDecoder().decode(State.self, from: bytes)) ?? State()
    }

    /// Time of the last use.
    package var lastUse: Date {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { return .distantFuture }
        return Date(status)
    }

    /// Changes the state, and with it the time of the last use.
    package func write(_ state: State) throws(ContainerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard var bytes = try? encoder.encode(state), bytes.count < Self.length else {
            throw ContainerError(.system, path: path, reason: "the record cannot be encoded")
        }
        bytes.append(Data(repeating: 0x20, count: Self.length - 1 - bytes.count))
        bytes.append(0x0A)
        let count = bytes.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }
        guard count == Self.length else {
            throw ContainerError("pwrite", path, count < 0 ? errno : EIO, denied: .notWritable)
        }
    }

    /// Same, but keeps the time of the last use.
    package func writeKeepingLastUse(_ state: State) throws(ContainerError) {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else {
            throw ContainerError("fstat", path, errno, denied: .unreadable)
        }
        try write(state)
        #if canImport(Darwin)
            let times = [status.st_atimespec, status.st_mtimespec]
        #else
            let times = [status.st_atim, status.st_mtim]
        #endif
        guard futimens(file.descriptor, times) == 0 else {
            throw ContainerError("futimens", path, errno, denied: .notWritable)
        }
    }

    /// Sets the time of the last use to now.
    package func touch() throws(ContainerError) {
        guard futimens(file.descriptor, nil) == 0 else {
            throw ContainerError("futimens", path, errno, denied: .notWritable)
        }
    }

    /// Waits until state and time are durable.
    package func synchronise() throws(ContainerError) {
        guard fsync(file.descriptor) == 0 else {
            throw ContainerError("fsync", path, errno, denied: .notWritable)
        }
    }

    /// Removes the record; only for the holder of an exclusive lock.
    package func remove() throws(ContainerError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw ContainerError("unlink", path, errno, denied: .notWritable)
        }
    }

    /// True if the file was removed before it was locked.
    var isRemoved: Bool {
        var status = stat()
        return fstat(file.descriptor, &status) != 0 || status.st_nlink == 0
    }
}

extension Date {
    package init(_ status: stat) {
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        self.init(
            timeIntervalSince1970: Double(modified.tv_sec) + Double(modified.tv_nsec) / 1e9)
    }
}
