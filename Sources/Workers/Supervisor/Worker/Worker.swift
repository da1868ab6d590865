import AttachmentContainer
import AttachmentModel
import Foundation
import WorkerProtocol

/// A worker process, idle or busy with one attachment; it does not queue.
final class Worker: Sendable {
    let launch: WorkerLaunch
    let program: WorkerProgram
    let group: ControlGroup?
    let outputs: WorkerOutputs
    private let state = Lock(State())
    private let orders = AsyncStream.makeStream(of: Order.self)
    private let life = Lock<Task<Void, Never>?>(nil)

    private init(
        _ launch: WorkerLaunch, _ program: WorkerProgram, _ early: EarlyWorker.Start?
    ) throws(EnforcementError) {
        (self.launch, self.program) = (launch, program)
        outputs = WorkerOutputs(in: launch.folder)
        group = if let early { early.group } else { try launch.hardCap.makeGroup() }
    }

    /// Takes the process of `early` if possible.
    static func start(
        _ launch: WorkerLaunch, _ program: WorkerProgram, _ early: EarlyWorker? = nil,
        within time: Duration
    ) async throws(WorkerLoss) -> Worker {
        guard time > .zero else { throw WorkerLoss(cause: .late) }
        let early = early?.take(for: launch, program)
        let worker: Worker
        do {
            worker = try Worker(launch, program, early)
        } catch {
            throw WorkerLoss(cause: .unable(error.fault))
        }
        let deadline = worker.deadline(ofTurn: 0, after: time)
        defer { deadline.cancel() }
        let ready = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                worker.state.withLock { $0.phase = .starting(continuation) }
                worker.life.withLock {
                    $0 = Task { await worker.live(early?.process, worker.orders.stream) }
                }
                // Both may have happened before there was a process to kill.
                if Task.isCancelled { worker.kill(.withdrawn, inTurn: 0) }
                if deadline.hasPassed { worker.kill(.late, inTurn: 0) }
            }
        } onCancel: {
            worker.kill(.withdrawn, inTurn: 0)
        }
        // The monitor does not watch idle workers.
        guard try ready.get().baseline < launch.hardCap.cap.footprint else {
            await worker.end()
            throw WorkerLoss(cause: .memory, isAtStart: true)
        }
        return worker
    }

    /// Cancellation and the time limit kill the worker; without time left it stays idle.
    func perform(
        _ request: WorkerRequest, _ file: AttachmentFile, to outputs: [OwnedDescriptor],
        within time: Duration
    ) async -> Reply<Rendering> {
        guard time > .zero else { return .failure(WorkerLoss(cause: .late)) }
        group?.resetPeak()
        let order = Order(
            message: .request(request),
            descriptors: [file.descriptor] + outputs.map(\.descriptor), owners: [file] + outputs)
        return await reply(to: order, within: time) { .rendering($0) }
    }

    /// The answer is unchecked.
    func inspect(
        _ file: AttachmentFile, within time: Duration
    ) async -> Reply<InspectedAttachment> {
        guard time > .zero else { return .failure(WorkerLoss(cause: .late)) }
        let order = Order(message: .inspect, descriptors: [file.descriptor], owners: [file])
        return await reply(to: order, within: time) { .inspection($0) }
    }

    func reply<Answer>(
        to order: Order, within time: Duration,
        _ work: (CheckedContinuation<Reply<Answer>, Never>) -> Turn
    ) async -> Reply<Answer> {
        let turn = state.withLock { $0.turn + 1 }
        let deadline = deadline(ofTurn: turn, after: time)
        defer { deadline.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(work(continuation), order)
                // Both may have happened before the turn began.
                if Task.isCancelled { kill(.withdrawn, inTurn: turn) }
                if deadline.hasPassed { kill(.late, inTurn: turn) }
            }
        } onCancel: {
            kill(.withdrawn, inTurn: turn)
        }
    }

    var sandbox: SandboxReport? { state.withLock { $0.sandbox } }

    var isGone: Bool {
        state.withLock { state -> Bool in
            if case .gone = state.phase { return true }
            return state.killReason != nil
        }
    }

    func end() async {
        kill(.withdrawn)
        await life.withLock { $0 }?.value
    }

    func kill(_ cause: WorkerLoss.Cause, inTurn turn: Int? = nil) {
        let isMeant = state.withLock { state -> Bool in
            if let turn {
                guard turn == state.turn, state.isAwaited else { return false }
            }
            state.killReason = state.killReason ?? cause
            return true
        }
        if isMeant { life.withLock { $0 }?.cancel() }
    }

    private func deadline(ofTurn turn: Int, after time: Duration) -> Deadline {
        Deadline(at: .now + time) { [weak self] in self?.kill(.late, inTurn: turn) }
    }

    private func begin(_ work: Turn, _ order: Order) {
        let loss = state.withLock { state -> WorkerLoss? in
            if case .gone(let loss) = state.phase { return loss }
            state.turn += 1
            state.started = nil
            state.phase = .busy(work)
            state.scratch?.renew()
            if launch.hardCap.isWatched, let process = state.process {
                state.watch = FootprintWatch(of: process, limit: launch.hardCap.cap.footprint)
            }
            if case .rendering = work, let process = state.process {
                state.recording = launch.recorder?.record(process)
            }
            return nil
        }
        if let loss {
            work.end(by: loss)
        } else {
            orders.continuation.yield(order)
        }
    }
}

extension Worker {
    /// Called once, before any message.
    func didStart(as process: pid_t, _ scratch: ScratchSupply, _ scratchEnd: OwnedDescriptor) {
        state.withLock { state in
            state.process = process
            state.scratch = scratch
        }
        orders.continuation.yield(
            Order(
                message: .configuration(launch.configuration),
                descriptors: [scratchEnd.descriptor], owners: [scratchEnd]))
    }

    /// A message out of order kills the worker.
    func receive(_ message: WorkerMessage) {
        let belongs =
            switch message {
            case .ready(let ready): becomeIdle(ready)
            case .unable(let fault): failStart(for: fault.printable)
            case .started(let started): note(started)
            case .done, .inspected, .still, .failed: answer(message)
            }
        if !belongs { kill(.breach("it sent a message out of turn")) }
    }

    func stopWatching() {
        state.withLock { state in
            state.process = nil
            state.watch?.end()
            state.recording?.end()
        }
    }

    /// Records the exit, removes the group and resumes the waiting caller.
    func didExit(_ loss: (WorkerLoss.Cause?, Bool) -> WorkerLoss) {
        let wasOverCap = group.map { $0.counters.kills > 0 } ?? false
        group?.remove()
        orders.continuation.finish()
        let (last, loss) = state.withLock { state in
            state.scratch = nil
            let wasWatched = state.watch?.hasKilled ?? false
            var loss = loss(state.killReason, wasOverCap || wasWatched)
            loss.started = state.started
            let last = state.phase
            state.phase = .gone(WorkerLoss(cause: loss.cause))
            return (last, loss)
        }
        switch last {
        case .starting(let continuation): continuation?.resume(returning: .failure(loss))
        case .busy(let turn): turn.end(by: loss)
        case .idle, .gone: break
        }
    }

    // Handlers return false for out-of-order messages. Messages of a worker being killed are
    // ignored; its exit resumes the caller.

    private func becomeIdle(_ ready: WorkerReady) -> Bool {
        let waiting = state.withLock { state in
            guard state.killReason == nil, case .starting(let continuation) = state.phase else {
                return CheckedContinuation<Result<WorkerReady, WorkerLoss>, Never>?.none
            }
            state.sandbox = ready.sandbox
            state.phase = .idle
            return continuation
        }
        waiting?.resume(returning: .success(ready))
        return waiting != nil
    }

    private func failStart(for fault: Fault) -> Bool {
        let isStarting = state.withLock { if case .starting = $0.phase { true } else { false } }
        if isStarting { kill(.unable(fault)) }
        return isStarting
    }

    private func note(_ started: WorkerStarted) -> Bool {
        state.withLock { state -> Bool in
            guard state.killReason == nil, case .busy(.rendering) = state.phase else {
                return false
            }
            state.started = started
            return true
        }
    }

    private func answer(_ message: WorkerMessage) -> Bool {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.killReason == nil, case .busy(let turn) = state.phase,
                let resume = turn.resumption(by: message, countedBy: group)
            else { return nil }
            state.watch?.end()
            state.watch = nil
            state.recording?.end()
            state.recording = nil
            state.started = nil
            state.phase = .idle
            return resume
        }
        resume?()
        return resume != nil
    }
}
