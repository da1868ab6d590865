internal import CSystemCalls
internal import Foundation

/// A message that descriptors accompany.
package protocol DescribedMessage: Decodable, Sendable {
    var descriptorCount: Int { get }
}

/// The child's end of the socket: messages and the descriptors that accompany them.
package struct MessageReader<Message: DescribedMessage>: Sendable {
    private let socket: CInt
    private var frames = FrameBuffer()
    private var descriptors: [CInt] = []

    package struct Order: Sendable {
        package let message: Message
        /// Exactly as many as the message announces; the receiver closes them.
        package let descriptors: [CInt]
    }

    package init(socket: CInt = STDIN_FILENO) { self.socket = socket }

    /// Descriptors that arrived before the message that they belong to.
    package var heldDescriptors: [CInt] { descriptors }

    /// Waits for a message; nil at the end.
    package mutating func next() throws(FrameError) -> Order? {
        while true {
            if let order = try nextReceived() { return order }
            guard try receive() else { return nil }
        }
    }

    /// A message that was received completely; nil otherwise.
    package mutating func nextReceived() throws(FrameError) -> Order? {
        guard let message = try frames.next(Message.self) else { return nil }
        let count = message.descriptorCount
        guard descriptors.count >= count else {
            throw .unreadable("too few descriptors were sent with it")
        }
        defer { descriptors.removeFirst(count) }
        return Order(message: message, descriptors: Array(descriptors.prefix(count)))
    }

    /// Waits for bytes and descriptors; false at the end.
    package mutating func receive() throws(FrameError) -> Bool {
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
            if count < 0, errno == EMSGSIZE { throw .unreadable("descriptors were lost") }
            descriptors += received.prefix(receivedCount)
            guard count > 0 else { return false }
            frames.append(bytes.prefix(count))
            return true
        }
    }
}
