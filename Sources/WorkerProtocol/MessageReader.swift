internal import CMessages
internal import Foundation

/// A worker's end of the socket: the messages in it, and the open files that come along.
package struct MessageReader: Sendable {
    private let socket: CInt
    private var frames = FrameBuffer()
    /// Descriptors of messages that are not read yet.
    private var descriptors: [CInt] = []

    /// A message, and the descriptors that came along.
    package struct Order: Sendable {
        /// The message.
        package let message: SupervisorMessage
        /// As many as the message has, the receiver's to close.
        package let descriptors: [CInt]
    }

    /// Begins to read.
    ///
    /// - Parameter socket: The worker's end. The default is standard input.
    package init(socket: CInt = STDIN_FILENO) { self.socket = socket }

    /// Waits for the next message.
    ///
    /// - Returns: The message; nil when the supervisor is gone.
    /// - Throws: `FrameError` when what came is no message, or descriptors are missing.
    package mutating func next() throws(FrameError) -> Order? {
        while true {
            if let message = try frames.next(SupervisorMessage.self) {
                let count = message.descriptorCount
                guard descriptors.count >= count else {
                    throw .unreadable("fewer files than needed came along")
                }
                defer { descriptors.removeFirst(count) }
                return Order(message: message, descriptors: Array(descriptors.prefix(count)))
            }
            guard receive() else { return nil }
        }
    }

    /// Takes in what there is.
    ///
    /// - Returns: Whether there was anything.
    private mutating func receive() -> Bool {
        var bytes = Data(count: 4096)
        var received = [CInt](repeating: -1, count: Int(THIMBLE_MOST_DESCRIPTORS))
        var receivedCount = 0
        while true {
            let count = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map {
                    thimble_receive(socket, $0, buffer.count, &received, &receivedCount)
                } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            descriptors += received.prefix(receivedCount)
            guard count > 0 else { return false }
            frames.append(bytes.prefix(count))
            return true
        }
    }
}
