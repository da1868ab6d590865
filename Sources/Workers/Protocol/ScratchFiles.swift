internal import AttachmentContainer
internal import CSystemCalls
internal import Foundation

/// The worker's end of the socket that supplies scratch files.
///
/// Each request is a byte; the answer is 0 with an unlinked empty file, or an errno.
package final class ScratchFiles: Sendable {
    private let socket: Lock<CInt>

    package init(socket: CInt) { self.socket = Lock(socket) }

    /// The caller closes the descriptor.
    package func next() throws(MessageError) -> CInt {
        try socket.withLock { socket throws(MessageError) in try Self.next(from: socket) }
    }

    private static func next(from socket: CInt) throws(MessageError) -> CInt {
        var byte: UInt8 = 0
        var sent: Int
        repeat {
            sent = write(socket, &byte, 1)
        } while sent < 0 && errno == EINTR
        guard sent == 1 else { throw MessageError("write") }
        var descriptors = [CInt](repeating: -1, count: Int(THIMBLE_MOST_DESCRIPTORS))
        var count = 0
        var received: Int
        repeat {
            received = thimble_receive(socket, &byte, 1, &descriptors, &count)
        } while received < 0 && errno == EINTR
        guard received == 1 else { throw MessageError("recvmsg") }
        guard byte == 0, count == 1 else {
            throw MessageError(call: "open", number: CInt(byte))
        }
        return descriptors[0]
    }
}
