import AttachmentContainer
import AttachmentModel
internal import Foundation

/// A stored ciphertext, in a file without a name.
///
/// Values keep the file open.
public struct Ciphertext: Sendable {
    private let file: OwnedDescriptor
    /// Length, in bytes.
    public let length: Int

    init(_ file: OwnedDescriptor, length: Int) {
        self.file = file
        self.length = length
    }

    /// Reads bytes at an offset.
    ///
    /// - Parameters:
    ///   - buffer: Receives the bytes.
    ///   - offset: The offset of the first byte.
    /// - Returns: The number of bytes: the buffer's length, or less at the end of the file.
    /// - Throws: `DecryptionError` with the code `storage`.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(DecryptionError) -> Int {
        do throws(OpenFile.ReadFailure) {
            return try OpenFile(descriptor: file.descriptor, length: length)
                .fill(buffer, at: offset)
        } catch {
            throw DecryptionError(
                .storage, reason: "the stored file cannot be read: \(error.reason)")
        }
    }
}

extension OwnedDescriptor {
    /// Creates a file that no path leads to, and that vanishes with the last reference.
    static func nameless(in folder: String) throws(DecryptionError) -> OwnedDescriptor {
        do throws(ContainerError) {
            return try OwnedDescriptor(unnamedFileIn: folder)
        } catch {
            throw DecryptionError(.storage, reason: "the file cannot be created: \(error.reason)")
        }
    }

    /// Writes all bytes at the file's offset.
    func append(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                guard errno == EINTR else { throw .storing("written", errno) }
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}

extension DecryptionError {
    static func storing(_ what: String, _ code: CInt) -> DecryptionError {
        DecryptionError(
            .storage, reason: "the file cannot be \(what): \(String(cString: strerror(code)))")
    }
}
