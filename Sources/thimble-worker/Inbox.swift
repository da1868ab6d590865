import AttachmentContainer
import AttachmentFootprint
import Foundation
import WorkerProtocol

/// The way from the supervisor: standard input, read by a thread of its own.
///
/// That thread does nothing but wait, so it sees at once that the supervisor is gone, killed or not,
/// also while another thread decodes.
struct Inbox: AsyncSequence {
    typealias Element = MessageReader.Order
    typealias Failure = Never

    private let orders: AsyncStream<MessageReader.Order>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - reader: What has been read of standard input so far.
    ///   - container: Where this worker would leave files half-written.
    ///   - writer: What their names begin with.
    init(_ reader: MessageReader, cleaning container: SharedContainer, of writer: String) {
        let (orders, continuation) = AsyncStream.makeStream(of: MessageReader.Order.self)
        self.orders = orders
        // It parses small JSON.
        SmallThread.start(stackBytes: 128 << 10) {
            var reader = reader
            var code: CInt = 0
            do throws(FrameError) {
                while let order = try reader.next() { continuation.yield(order) }
            } catch {
                StandardError.print("unreadable message: \(error)")
                code = 2
            }
            // What the system refuses is swept when it is stale.
            _ = try? container.removeIncoming(of: writer)
            _exit(code)
        }
    }

    func makeAsyncIterator() -> AsyncStream<MessageReader.Order>.Iterator {
        orders.makeAsyncIterator()
    }
}
