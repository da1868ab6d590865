import AttachmentModel
import Foundation
import WorkerProtocol

/// Messages from the supervisor, read from standard input on a thread of its own.
///
/// The thread only waits, so it notices a closed socket at once, even while another thread decodes.
enum Inbox {
    typealias Reader = MessageReader<SupervisorMessage>

    static func orders(from reader: Reader) -> AsyncStream<Reader.Order> {
        let (orders, continuation) = AsyncStream.makeStream(of: Reader.Order.self)
        // Enough for parsing small JSON documents.
        SmallThread.start(stackBytes: 128 << 10) {
            var reader = reader
            var code: CInt = 0
            do throws(FrameError) {
                while let order = try reader.next() { continuation.yield(order) }
            } catch {
                let line = Array("unreadable message: \(error)\n".utf8)
                // Losing output that nobody reads is harmless.
                _ = write(STDERR_FILENO, line, line.count)
                code = 2
            }
            _exit(code)
        }
        return orders
    }
}
