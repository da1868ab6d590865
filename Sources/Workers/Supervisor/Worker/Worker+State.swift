import AttachmentContainer
import AttachmentModel
import Foundation
import WorkerProtocol

extension Worker {
    typealias Reply<Answer> = Result<Result<Answer, AttachmentError>, WorkerLoss>

    enum Turn: Sendable {
        case rendering(CheckedContinuation<Reply<Rendering>, Never>)
        case inspection(CheckedContinuation<Reply<InspectedAttachment>, Never>)
        case still(CheckedContinuation<Reply<EncodedStill>, Never>)

        func end(by loss: WorkerLoss) {
            switch self {
            case .rendering(let waiting): waiting.resume(returning: .failure(loss))
            case .inspection(let waiting): waiting.resume(returning: .failure(loss))
            case .still(let waiting): waiting.resume(returning: .failure(loss))
            }
        }

        /// To be called once; nil if the message answers another order.
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
            case (.still(let waiting), .still(let still)):
                { waiting.resume(returning: .success(.success(still))) }
            case (.still(let waiting), .failed(let error)):
                { waiting.resume(returning: .success(.failure(error))) }
            default: nil
            }
        }
    }

    enum Phase {
        case starting(CheckedContinuation<Result<WorkerReady, WorkerLoss>, Never>?)
        case idle
        case busy(Turn)
        case gone(WorkerLoss)
    }

    struct State {
        var phase = Phase.starting(nil)
        var started: WorkerStarted?
        var sandbox: SandboxReport?
        var process: pid_t?
        var watch: FootprintWatch?
        var recording: FootprintRecorder.Recording?
        var scratch: ScratchSupply?
        var killReason: WorkerLoss.Cause?
        /// Number of the current attachment, 0 during the start; a kill applies to one turn only.
        var turn = 0

        var isAwaited: Bool {
            switch phase {
            case .starting, .busy: true
            case .idle, .gone: false
            }
        }
    }
}
