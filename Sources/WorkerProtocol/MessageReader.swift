internal import CMessages
internal import Foundation

/// The worker's end of the socket: messages and the descriptors that accompany them.
package struct MessageReader: Sendable {
    private let socket: CInt
    private var frames = FrameBuffer()
    private var descriptors: [CInt] = []

    package struct Order: Sendable {
        package let message: SupervisorMessage
        /// Exactly as many as the message announces; the receiver closes them.
        package let descriptors: [CInt]
    }

    package init(socket: CInt = STDIN_FILENO) { self.socket = socket }

    package mutating func next() throws(FrameError) -> Order? {
        while true {
            if let message = try frames.next(SupervisorMessage.self) {
                let count = message.descriptorCount
                guard descriptors.count >= count else {
                    throw .unreadable("too few descriptors were sent with it")
                }
                defer { descriptors.removeFirst(count) }
                return Order(message: message, descriptors: Array(descriptors.prefix(count)))
            }
            guard try receive() else { return nil }
        }
    }

    private mutating func receive() throws(FrameError) -> Bool {
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
