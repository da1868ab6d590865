internal import Foundation

/// An open regular file and its length, or the plaintext of an encrypted one.
///
/// It does not own the descriptor, which must stay open while the file is read.
package struct OpenFile: Sendable {
    package let descriptor: CInt
    /// Length when the file was opened, in bytes.
    package let length: Int
    private let plaintext: (any Plaintext)?

    package init(descriptor: CInt, length: Int) {
        self.descriptor = descriptor
        self.length = length
        plaintext = nil
    }

    /// Reads from a plaintext in place of a descriptor.
    package init(_ plaintext: any Plaintext) {
        descriptor = -1
        length = plaintext.length
        self.plaintext = plaintext
    }

    /// Failure of a read, with its `errno`.
    package struct ReadFailure: Error {
        package let code: CInt
        package var reason: String { String(cString: strerror(code)) }

        package init(code: CInt) { self.code = code }
    }

    /// Reads bytes at an offset without moving the file's own offset.
    ///
    /// Returns fewer bytes than requested near the end of the file, and 0 only there.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(ReadFailure) -> Int {
        if let plaintext { return try plaintext.read(into: buffer, at: offset) }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw ReadFailure(code: errno) }
        }
    }

    /// Fills a buffer with bytes at an offset, and returns their number: fewer only at the end of the
    /// file.
    package func fill(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(ReadFailure) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let taken = try read(into: rest, at: offset + count)
            guard taken > 0 else { break }
            count += taken
        }
        return count
    }
}
