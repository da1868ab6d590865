internal import CMessages
internal import Foundation

/// A worker's end of the socket on which it is given scratch files.
///
/// A byte asks for a file. The answer is a byte: 0, with the descriptor of an empty file that has no
/// name, or the number of the error that there was.
package final class ScratchFiles: Sendable {
    private let socket: CInt
    private let lock = NSLock()

    /// Takes the socket over.
    ///
    /// - Parameter socket: The worker's end.
    package init(socket: CInt) { self.socket = socket }

    /// Asks for a file, and waits for it.
    ///
    /// - Returns: Its descriptor, the caller's to close.
    /// - Throws: `MessageError` when there is none.
    package func next() throws(MessageError) -> CInt {
        lock.lock()
        defer { lock.unlock() }
        var byte: UInt8 = 0
        guard write(socket, &byte, 1) == 1 else { throw MessageError("write") }
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
