import AttachmentContainer
import Foundation

/// A contact sheet that could not be written.
struct SheetError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): the contact sheet cannot be written: \(reason)" }
}

/// Text on its way to a file, in blocks.
final class Spool: Sendable {
    private static let block = 64 << 10

    private let path: String
    private let file: OwnedDescriptor
    private let pending = Lock<[UInt8]>([])

    /// An unnamed file in a folder.
    init(in folder: String) throws(SheetError) {
        path = folder
        do throws(ContainerError) {
            file = try OwnedDescriptor(unnamedFileIn: folder)
        } catch {
            throw SheetError(path: folder, reason: error.reason)
        }
    }

    /// A file at a path, in place of one that is there.
    init(at path: String) throws(SheetError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.error(path) }
        file = OwnedDescriptor(descriptor)
    }

    func append(_ text: String) throws(SheetError) {
        let isFull = pending.withLock { pending in
            pending += text.utf8
            return pending.count >= Self.block
        }
        if isFull { try flush() }
    }

    /// Appends the contents of another spool, from its beginning.
    func append(_ other: Spool) throws(SheetError) {
        try flush()
        var place = 0
        var buffer = [UInt8](repeating: 0, count: Self.block)
        while true {
            let count = buffer.withUnsafeMutableBytes {
                pread(other.file.descriptor, $0.baseAddress, $0.count, off_t(place))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.error(path) }
            guard count > 0 else { break }
            place += count
            guard StandardStream.write(Array(buffer.prefix(count)), to: file.descriptor) else {
                throw Self.error(path)
            }
        }
        let rest = other.pending.withLock { $0 }
        pending.withLock { $0 += rest }
    }

    func close(movingTo target: String) throws(SheetError) {
        try flush()
        guard rename(path, target) == 0 else { throw Self.error(target) }
    }

    private func flush() throws(SheetError) {
        let bytes = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        guard StandardStream.write(bytes, to: file.descriptor) else { throw Self.error(path) }
    }

    private static func error(_ path: String) -> SheetError {
        SheetError(path: path, reason: String(cString: strerror(errno)))
    }
}
