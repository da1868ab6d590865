import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import ProcessSandbox
import Synchronization
import WorkerProtocol

/// A worker process: warm, and at work on one attachment or none.
///
/// It does not queue: give it an attachment only when it has answered the one before.
final class Worker: Sendable {
    /// How an attachment ended.
    typealias Outcome = Result<Result<ProcessedAttachment, AttachmentError>, WorkerLoss>

    /// What a worker is told, and the file that goes along.
    struct Order: Sendable {
        let message: SupervisorMessage
        var file: AttachmentFile?
    }

    private enum Phase {
        case starting(CheckedContinuation<Result<WorkerReady, WorkerLoss>, Never>?)
        case idle
        case busy(CheckedContinuation<Outcome, Never>)
        case gone(WorkerLoss)
    }

    private struct State {
        var phase = Phase.starting(nil)
        var started: WorkerStarted?
        var sandbox: SandboxReport?
        var process: pid_t?
        var watch: FootprintWatch?
        /// What the supervisor kills it for.
        var sentence: WorkerLoss.Cause?
        /// Counts attachments, so that a timer of an earlier one does not kill for it.
        var turn = 0
    }

    let launch: WorkerLaunch
    let group: ControlGroup?
    /// What the names of its unfinished files begin with.
    let writer = String(UUID().uuidString.prefix(8)).lowercased()
    private let state = Mutex(State())
    private let orders = AsyncStream.makeStream(of: Order.self)
    private let life = Mutex<Task<Void, Never>?>(nil)

    private init(_ launch: WorkerLaunch) throws(EnforcementError) {
        self.launch = launch
        group = try launch.hardCap.makeGroup()
    }

    /// Starts a worker and waits until it is ready.
    ///
    /// - Parameters:
    ///   - launch: How.
    ///   - time: How long it may take.
    /// - Returns: The worker.
    /// - Throws: `WorkerLoss` when it does not get that far.
    static func start(
        _ launch: WorkerLaunch, within time: Duration
    ) async throws(WorkerLoss) -> Worker {
        let worker: Worker
        do {
            worker = try Worker(launch)
        } catch {
            throw WorkerLoss(cause: .unable("\(error)"))
        }
        let timer = Task {
            try await Task.sleep(for: time)
            worker.kill(.late)
        }
        defer { timer.cancel() }
        let ready = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                worker.state.withLock { $0.phase = .starting(continuation) }
                worker.life.withLock { $0 = Task { await worker.live(worker.orders.stream) } }
                // Cancelled before there was anything to kill.
                if Task.isCancelled { worker.kill(.withdrawn) }
            }
        } onCancel: {
            worker.kill(.withdrawn)
        }
        // Nothing else says so where the cap is only watched.
        guard try ready.get().baseline < launch.hardCap.cap.footprint else {
            await worker.end()
            throw WorkerLoss(cause: .memory)
        }
        return worker
    }

    /// Gives the worker an attachment and waits for what becomes of it.
    ///
    /// When the task is cancelled, or the time is up, the worker is killed at once.
    ///
    /// - Parameters:
    ///   - request: The attachment.
    ///   - file: Its open file.
    ///   - time: How long it may take.
    /// - Returns: The answer, or the loss of the worker.
    func perform(
        _ request: WorkerRequest, _ file: AttachmentFile, within time: Duration
    ) async -> Outcome {
        group?.resetPeak()
        let turn = state.withLock { $0.turn + 1 }
        let timer = Task {
            try await Task.sleep(for: time)
            kill(.late, inTurn: turn)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { begin(request, file, $0) }
        } onCancel: {
            kill(.withdrawn)
        }
    }

    /// What became of its sandbox; nil before it is ready.
    var sandbox: SandboxReport? { state.withLock { $0.sandbox } }

    /// Whether the process has ended.
    var isGone: Bool {
        state.withLock { if case .gone = $0.phase { true } else { false } }
    }

    /// Ends the worker, whatever it is at.
    func end() async {
        kill(.withdrawn)
        await life.withLock { $0 }?.value
    }

    /// Ends the worker without waiting for it.
    ///
    /// - Parameters:
    ///   - cause: Why.
    ///   - turn: Only if it is still at this attachment; nil for any.
    func kill(_ cause: WorkerLoss.Cause, inTurn turn: Int? = nil) {
        let isMeant = state.withLock { state in
            if let turn {
                guard turn == state.turn, case .busy = state.phase else { return false }
            }
            state.sentence = state.sentence ?? cause
            return true
        }
        if isMeant { life.withLock { $0 }?.cancel() }
    }

    private func begin(
        _ request: WorkerRequest, _ file: AttachmentFile,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        let loss = state.withLock { state -> WorkerLoss? in
            if case .gone(let loss) = state.phase { return loss }
            state.turn += 1
            state.started = nil
            state.phase = .busy(continuation)
            if launch.hardCap.isWatched, let process = state.process {
                state.watch = FootprintWatch(of: process, limit: launch.hardCap.cap.footprint)
            }
            return nil
        }
        if let loss {
            continuation.resume(returning: .failure(loss))
        } else {
            orders.continuation.yield(Order(message: .request(request), file: file))
        }
    }
}

extension Worker {
    /// The process as it is when it has been started; called once, before any message.
    ///
    /// - Parameter process: Its identifier.
    func born(as process: pid_t) {
        state.withLock { $0.process = process }
        let configuration = launch.configuration(writer: writer)
        orders.continuation.yield(Order(message: .configuration(configuration)))
    }

    /// Takes a message in.
    ///
    /// - Parameter message: What the process says.
    func hear(_ message: WorkerMessage) {
        switch message {
        case .ready(let ready): becomeIdle(ready)
        case .unable(let reason): state.withLock { $0.sentence = .unable(reason) }
        case .started(let started): state.withLock { $0.started = started }
        case .done(let done): answer(.success(done.counted(by: group)))
        case .failed(let error): answer(.failure(error))
        }
    }

    /// Stops looking at the process, which may be waited for from now on.
    func stopWatching() {
        state.withLock { state in
            state.process = nil
            state.watch?.end()
        }
    }

    /// The process is gone, and its group and unfinished files with it: whoever waits hears of it.
    ///
    /// - Parameter loss: Why; called with what the supervisor killed it for, with the rung, and with
    ///   whether it was killed for its memory.
    func died(_ loss: (WorkerLoss.Cause?, Bool) -> WorkerLoss) {
        let wasOverCap = group.map { $0.counters.kills > 0 } ?? false
        group?.remove()
        // What cannot be removed now is swept when it is stale.
        _ = try? launch.container.removeIncoming(of: writer)
        orders.continuation.finish()
        let (last, loss) = state.withLock { state in
            let wasWatched = state.watch?.hasKilled ?? false
            var loss = loss(state.sentence, wasOverCap || wasWatched)
            loss.started = state.started
            let last = state.phase
            state.phase = .gone(WorkerLoss(cause: loss.cause))
            return (last, loss)
        }
        switch last {
        case .starting(let continuation): continuation?.resume(returning: .failure(loss))
        case .busy(let continuation): continuation.resume(returning: .failure(loss))
        case .idle, .gone: break
        }
    }

    private func becomeIdle(_ ready: WorkerReady) {
        let waiting = state.withLock { state in
            state.sandbox = ready.sandbox
            defer { state.phase = .idle }
            guard case .starting(let continuation) = state.phase else {
                return CheckedContinuation<Result<WorkerReady, WorkerLoss>, Never>?.none
            }
            return continuation
        }
        waiting?.resume(returning: .success(ready))
    }

    private func answer(_ result: Result<ProcessedAttachment, AttachmentError>) {
        let waiting = state.withLock { state in
            guard case .busy(let continuation) = state.phase else {
                return CheckedContinuation<Outcome, Never>?.none
            }
            state.watch?.end()
            state.watch = nil
            state.started = nil
            state.phase = .idle
            return continuation
        }
        waiting?.resume(returning: .success(result))
    }
}

extension ProcessedAttachment {
    /// With the kernel's own count, where the worker has a group.
    fileprivate func counted(by group: ControlGroup?) -> ProcessedAttachment {
        guard let group else { return self }
        return ProcessedAttachment(
            manifest: manifest, work: work,
            memory: MemoryUse(
                baseline: memory.baseline, predictedPeak: memory.predictedPeak,
                measuredPeak: memory.measuredPeak, kernelPeak: group.counters.peak))
    }
}
