import AttachmentContainer
import AttachmentFootprint
import AttachmentPipeline
import Foundation
import WorkerProtocol

/// The process that decodes attachments for a supervisor, one at a time.
///
/// Receives requests on standard input and answers on standard output. It exits within a
/// millisecond of the end of standard input, even while decoding.
@main
struct ThimbleWorker {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil where isatty(STDIN_FILENO) == 0: work()
        case "--version": print("thimble-worker (libvips \(Libraries.vipsVersion))")
        default:
            print("thimble-worker is started by thimble, and accepts only --version")
            exit(64)
        }
    }

    /// Runs the session until standard input ends.
    private static func work() {
        let outbox = Outbox()
        var reader = MessageReader()
        // Read on this thread: the sandbox must be entered before a second thread exists.
        guard let order = try? reader.next(), let scratch = order.descriptors.first,
            case .configuration(let configuration) = order.message
        else { return outbox.send(.unable("the first message is not its configuration")) }
        let session: Session
        do throws(Session.Refusal) {
            session = try Session(configuration, scratch, outbox)
        } catch {
            return outbox.send(.unable(error.reason))
        }
        let inbox = Inbox(reader)
        outbox.send(.ready(session.ready))
        let thread = MainThread()
        Task(executorPreference: thread) {
            for await order in inbox {
                switch order.message {
                case .configuration: _exit(2)
                case .request(let request):
                    outbox.send(await session.answer(request, order.descriptors))
                case .inspect: outbox.send(session.inspect(order.descriptors))
                }
                guard !session.isWornOut else { _exit(0) }
            }
        }
        thread.run()
    }
}
