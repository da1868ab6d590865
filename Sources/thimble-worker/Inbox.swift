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
    /// - Parameter reader: What has been read of standard input so far.
    init(_ reader: MessageReader) {
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
            _exit(code)
        }
    }

    func makeAsyncIterator() -> AsyncStream<MessageReader.Order>.Iterator {
        orders.makeAsyncIterator()
    }
}
