import AttachmentContainer
import AttachmentFootprint
import AttachmentIntake
import AttachmentPipeline
import AttachmentPlanning
import Foundation
import WorkerProtocol

/// The process that a supervisor gives attachments to, one at a time.
///
/// It is told what to do on standard input and answers on standard output. When standard input ends,
/// whatever is under way, it is over within a millisecond.
@main
struct ThimbleWorker {
    static func main() async {
        switch CommandLine.arguments.dropFirst().first {
        case nil where isatty(STDIN_FILENO) == 0: await work()
        case "--version": print("thimble-worker (libvips \(Libraries.vipsVersion))")
        default:
            print("thimble-worker is started by thimble, and takes nothing but --version")
            exit(64)
        }
    }

    /// From the configuration to the end of standard input.
    private static func work() async {
        let outbox = Outbox()
        var inbox = Inbox().makeAsyncIterator()
        guard case .configuration(let configuration)? = await inbox.next() else {
            return outbox.send(.unable("the first message is not its configuration"))
        }
        let session: Session
        do throws(Session.Refusal) {
            session = try Session(configuration, outbox)
        } catch {
            return outbox.send(.unable(error.reason))
        }
        outbox.send(.ready(session.ready))
        while case .request(let request)? = await inbox.next() {
            outbox.send(await session.answer(request))
        }
    }
}
