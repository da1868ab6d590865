import AttachmentContainer
package import AttachmentFormats
package import AttachmentPipeline
import Foundation
import WorkerProtocol

/// The work of a process that decodes attachments for a supervisor, one at a time.
package enum WorkerSession {
    /// The main function of a worker's program; started by a person it only prints its libraries.
    ///
    /// `libraries` are those beside the libraries of the engine of rows. `stillEncoder` makes inline
    /// pictures; the default is nil, for a worker that is not asked for any.
    package static func main(
        _ name: String, libraries: @autoclosure () -> [String] = [], fallback: FallbackEngine?,
        stillEncoder: (any StillEncoder)? = nil
    ) {
        switch CommandLine.arguments.dropFirst().first {
        case nil where isatty(STDIN_FILENO) == 0:
            run(fallback: fallback, stillEncoder: stillEncoder)
        case "--version":
            let loaded = libraries() + LinkedLibraries.ofRows
            print("\(name) (\(loaded.joined(separator: ", ")))")
        default:
            print("\(name) is started by thimble, and accepts only --version")
            exit(64)
        }
    }

    /// Receives requests on standard input and answers on standard output until input ends.
    ///
    /// The process exits within a millisecond of the end of standard input, even while decoding.
    /// Must be called on the main thread, before any other thread exists, because the sandbox
    /// applies to the calling thread only.
    package static func run(
        formats: [PictureFormat] = .standard, fallback: FallbackEngine?,
        stillEncoder: (any StillEncoder)? = nil
    ) {
        let outbox = Outbox()
        // The package's minimum system is for extensions, which start no worker.
        guard #available(macOS 15, *) else {
            return outbox.send(.unable(.unable("it needs macOS 15", remedy: "update the system")))
        }
        var reader = MessageReader<SupervisorMessage>()
        guard let order = try? reader.next(), let scratch = order.descriptors.first,
            case .configuration(let configuration) = order.message
        else { return outbox.send(.unable(.notConfigured)) }
        let session: Session
        do throws(Fault) {
            session = try Session(
                configuration, formats, fallback, stillEncoder, scratch, outbox)
        } catch {
            return outbox.send(.unable(error))
        }
        let orders = Inbox.orders(from: reader)
        outbox.send(.ready(session.ready))
        let thread = MainThread()
        Task(executorPreference: thread) {
            for await order in orders {
                switch order.message {
                case .configuration: _exit(2)
                case .request(let request):
                    outbox.send(await session.answer(request, order.descriptors))
                case .inspect: outbox.send(session.inspect(order.descriptors))
                case .still(let request):
                    outbox.send(await session.answer(request, order.descriptors))
                }
                guard !session.isWornOut else { _exit(0) }
            }
        }
        thread.run()
    }
}
