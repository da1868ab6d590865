internal import CMessages
internal import Foundation

/// A worker's end of the socket: the messages in it, and the open files that come along.
package struct MessageReader: Sendable {
    private let socket: CInt
    private var frames = FrameBuffer()
    /// What came along with messages that are not read yet.
    private var attachments: [CInt] = []

    /// A message, and the attachment that came along.
    package struct Order: Sendable {
        /// The message.
        package let message: SupervisorMessage
        /// The attachment, open for reading and the receiver's to close; nil when the message is not
        /// about one.
        package let attachment: CInt?
    }

    /// Begins to read.
    ///
    /// - Parameter socket: The worker's end. The default is standard input.
    package init(socket: CInt = STDIN_FILENO) { self.socket = socket }

    /// Waits for the next message.
    ///
    /// - Returns: The message; nil when the supervisor is gone.
    /// - Throws: `FrameError` when what came is no message, or brings no attachment where it should.
    package mutating func next() throws(FrameError) -> Order? {
        while true {
            if let message = try frames.next(SupervisorMessage.self) {
                guard case .request = message else {
                    return Order(message: message, attachment: nil)
                }
                guard !attachments.isEmpty else { throw .unreadable("no attachment came along") }
                return Order(message: message, attachment: attachments.removeFirst())
            }
            guard receive() else { return nil }
        }
    }

    /// Takes in what there is.
    ///
    /// - Returns: Whether there was anything.
    private mutating func receive() -> Bool {
        var bytes = Data(count: 4096)
        var attachment: CInt = -1
        while true {
            let count = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map {
                    thimble_receive(socket, $0, buffer.count, &attachment)
                } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            if attachment >= 0 { attachments.append(attachment) }
            guard count > 0 else { return false }
            frames.append(bytes.prefix(count))
            return true
        }
    }
}
