import AttachmentContainer
import AttachmentFootprint
import Foundation
import Synchronization
import WorkerProtocol

/// The way from the supervisor: standard input, read by a thread of its own.
///
/// That thread does nothing but wait, so it sees at once that the supervisor is gone, killed or not,
/// also while another thread decodes.
struct Inbox: AsyncSequence {
    typealias Element = SupervisorMessage
    typealias Failure = Never

    private let messages: AsyncStream<SupervisorMessage>

    /// Starts the thread.
    init() {
        let (messages, continuation) = AsyncStream.makeStream(of: SupervisorMessage.self)
        self.messages = messages
        // It parses small JSON.
        SmallThread.start(stackBytes: 256 << 10) {
            var frames = FrameBuffer()
            var unfinished: UnfinishedFiles?
            do throws(FrameError) {
                while let bytes = Self.read() {
                    frames.append(bytes)
                    while let message = try frames.next(SupervisorMessage.self) {
                        if case .configuration(let configuration) = message {
                            unfinished = UnfinishedFiles(configuration)
                        }
                        continuation.yield(message)
                    }
                }
                unfinished?.remove()
                _exit(0)
            } catch {
                StandardError.print("unreadable message: \(error)")
                unfinished?.remove()
                _exit(2)
            }
        }
    }

    func makeAsyncIterator() -> AsyncStream<SupervisorMessage>.Iterator {
        messages.makeAsyncIterator()
    }

    /// The next bytes; nil at the end.
    private static func read() -> Data? {
        var bytes = Data(count: 4096)
        while true {
            let count = bytes.withUnsafeMutableBytes {
                Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            return count > 0 ? bytes.prefix(count) : nil
        }
    }
}

/// The files that this worker would leave half-written.
private struct UnfinishedFiles {
    private let container: SharedContainer
    private let writer: String

    /// Names them; nil when there is no container.
    init?(_ configuration: WorkerConfiguration) {
        let url = URL(fileURLWithPath: configuration.container, isDirectory: true)
        guard let container = try? SharedContainer.open(at: url) else { return nil }
        self.container = container
        writer = configuration.writer
    }

    /// Removes them; what the system refuses is swept when it is stale.
    func remove() { _ = try? container.removeIncoming(of: writer) }
}
