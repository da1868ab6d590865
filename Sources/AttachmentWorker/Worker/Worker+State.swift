import AttachmentContainer
import AttachmentIntake
import ProcessSandbox
import WorkerProtocol

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension Worker {
    /// How an order ended: with an answer, an error of the attachment, or the loss of the worker.
    typealias Reply<Answer> = Result<Result<Answer, AttachmentError>, WorkerLoss>
    /// How an attachment ended.
    typealias Outcome = Reply<Rendering>

    /// Whoever waits for the answer to an order.
    enum Turn: Sendable {
        case rendering(CheckedContinuation<Outcome, Never>)
        case inspection(CheckedContinuation<Reply<InspectedAttachment>, Never>)

        /// Ends the wait with the loss of the worker.
        func end(by loss: WorkerLoss) {
            switch self {
            case .rendering(let waiting): waiting.resume(returning: .failure(loss))
            case .inspection(let waiting): waiting.resume(returning: .failure(loss))
            }
        }

        /// Ends the wait with a message.
        ///
        /// - Parameters:
        ///   - message: The message.
        ///   - group: The group of the worker, for the kernel's count.
        /// - Returns: The end of the wait, to be called once; nil if the message answers another
        ///   order.
        func resumption(
            by message: WorkerMessage, countedBy group: ControlGroup?
        ) -> (@Sendable () -> Void)? {
            switch (self, message) {
            case (.rendering(let waiting), .done(let done)):
                { waiting.resume(returning: .success(.success(done.counted(by: group)))) }
            case (.rendering(let waiting), .failed(let error)):
                { waiting.resume(returning: .success(.failure(error))) }
            case (.inspection(let waiting), .inspected(let found)):
                { waiting.resume(returning: .success(.success(found))) }
            case (.inspection(let waiting), .failed(let error)):
                { waiting.resume(returning: .success(.failure(error))) }
            default: nil
            }
        }
    }

    /// The state of the process, as far as its messages tell.
    enum Phase {
        case starting(CheckedContinuation<Result<WorkerReady, WorkerLoss>, Never>?)
        case idle
        case busy(Turn)
        case gone(WorkerLoss)
    }

    /// Everything about a worker that changes.
    struct State {
        var phase = Phase.starting(nil)
        var started: WorkerStarted?
        var sandbox: SandboxReport?
        var process: pid_t?
        var watch: FootprintWatch?
        var timer: Task<Void, any Error>?
        /// What gives it scratch files.
        var scratch: ScratchSupply?
        /// What the supervisor kills it for.
        var sentence: WorkerLoss.Cause?
        /// Counts attachments, the start being 0, so that what is meant for one kills at no other.
        var turn = 0

        /// Whether somebody waits for what it says next.
        var isAwaited: Bool {
            switch phase {
            case .starting, .busy: true
            case .idle, .gone: false
            }
        }
    }
}
