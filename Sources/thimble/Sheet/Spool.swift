import AttachmentContainer
import Foundation

/// A contact sheet that could not be written.
struct SheetError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): the contact sheet cannot be written: \(reason)" }
}

/// Text on its way to a file, in blocks.
final class Spool {
    private static let block = 64 << 10

    private let path: String
    private let descriptor: CInt
    private var pending: [UInt8] = []

    private init(_ path: String, _ descriptor: CInt) throws(SheetError) {
        guard descriptor >= 0 else { throw Self.error(path) }
        self.path = path
        self.descriptor = descriptor
    }

    /// An unnamed file in a folder.
    convenience init(in folder: String) throws(SheetError) {
        var name = Array("\(folder)/.sheet-XXXXXX".utf8CString)
        let descriptor = name.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkostemp($0, O_CLOEXEC) } ?? -1
        }
        try self.init(folder, descriptor)
        name.withUnsafeBufferPointer { buffer in
            if let name = buffer.baseAddress { _ = unlink(name) }
        }
    }

    /// A file at a path, in place of one that is there.
    convenience init(at path: String) throws(SheetError) {
        try self.init(path, open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
    }

    deinit { Foundation.close(descriptor) }

    func append(_ text: String) throws(SheetError) {
        pending += text.utf8
        if pending.count >= Self.block { try flush() }
    }

    /// Appends the contents of another spool, from its beginning.
    func append(_ other: Spool) throws(SheetError) {
        try flush()
        var place = 0
        var buffer = [UInt8](repeating: 0, count: Self.block)
        while true {
            let count = buffer.withUnsafeMutableBytes {
                pread(other.descriptor, $0.baseAddress, $0.count, off_t(place))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.error(path) }
            guard count > 0 else { break }
            place += count
            guard StandardStream.write(Array(buffer.prefix(count)), to: descriptor) else {
                throw Self.error(path)
            }
        }
        pending += other.pending
    }

    func close(movingTo target: String) throws(SheetError) {
        try flush()
        guard rename(path, target) == 0 else { throw Self.error(target) }
    }

    private func flush() throws(SheetError) {
        guard !pending.isEmpty else { return }
        let bytes = pending
        pending = []
        guard StandardStream.write(bytes, to: descriptor) else { throw Self.error(path) }
    }

    private static func error(_ path: String) -> SheetError {
        SheetError(path: path, reason: String(cString: strerror(errno)))
    }
}
