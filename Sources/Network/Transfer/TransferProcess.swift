import AttachmentContainer
import Foundation
import Logging
import ProgramLaunch
import TransferProtocol
import WorkerProtocol

/// One process, with any number of transfers in progress.
final class TransferProcess: Sendable {
    typealias Reply = Result<TransferResponse, TransferFailure>

    /// Time after a transfer's own limit until the process counts as hung.
    private static let grace = Duration.seconds(2)

    struct Order: Sendable {
        let message: TransferOrder
        /// Files of the message, open until it is sent.
        let files: [OwnedDescriptor]
    }

    private struct Waiting {
        let continuation: CheckedContinuation<Reply, Never>
        let latest: ContinuousClock.Instant
    }

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        /// Cancelled transfers whose replies are still to come.
        var withdrawn: Set<UInt64> = []
        var last: UInt64 = 0
        var number: pid_t?
        var sandbox: SandboxReport?
        var killReason: String?
        /// The remedy that the process named; nil for a lost process's remedy.
        var remedy: String?
        var isRetired = false
        /// The reason for the end; nil while it runs.
        var loss: TransferFailure?
    }

    let launch: TransferLaunch
    private let born = ContinuousClock.now
    private let state = Lock(State())
    private let orders = AsyncStream.makeStream(of: Order.self)
    private let life = Lock<Task<Void, Never>?>(nil)

    init(_ launch: TransferLaunch) {
        self.launch = launch
        let orders = orders
        orders.continuation.yield(Order(message: .configuration(launch.configuration), files: []))
        life.withLock { $0 = Task { await live(orders.stream) } }
    }

    var age: Duration { born.duration(to: .now) }

    var isGone: Bool { state.withLock { $0.loss != nil || $0.killReason != nil } }

    var number: pid_t? { state.withLock { $0.number } }

    var sandbox: SandboxReport? { state.withLock { $0.sandbox } }

    func perform(
        _ request: TransferRequest, _ output: OwnedDescriptor, _ body: OwnedDescriptor?
    ) async throws(TransferFailure) -> TransferResponse {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        var request = request
        request.number = number
        let order = Order(
            message: .begin(request), files: [output] + (body.map { [$0] } ?? []))
        let latest =
            ContinuousClock.now + .milliseconds(request.limits.milliseconds) + Self.grace
        let reply = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(number, order, Waiting(continuation: continuation, latest: latest))
                // The handler may have run before the transfer began.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return try reply.get()
    }

    private func begin(_ number: UInt64, _ order: Order, _ waiting: Waiting) {
        let loss = state.withLock { state -> TransferFailure? in
            if let loss = state.loss { return loss }
            state.waiting[number] = waiting
            return nil
        }
        if let loss {
            waiting.continuation.resume(returning: .failure(loss))
        } else {
            orders.continuation.yield(order)
        }
    }

    private func cancel(_ number: UInt64) {
        let waiting = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: number)
            if waiting != nil { state.withdrawn.insert(number) }
            return waiting
        }
        guard let waiting else { return }
        orders.continuation.yield(Order(message: .cancel(number), files: []))
        let failure = TransferFailure(.cancelled, "it was cancelled")
        waiting.continuation.resume(returning: .failure(failure))
    }

    var isRetired: Bool { state.withLock { $0.isRetired } }

    /// Ends the process once its transfers are over.
    func retire() {
        state.withLock { $0.isRetired = true }
        endIfRetired()
    }

    func end() async {
        kill("it was closed")
        await life.withLock { $0 }?.value
    }

    func kill(_ reason: String) {
        state.withLock { $0.killReason = $0.killReason ?? reason }
        life.withLock { $0 }?.cancel()
    }

    private func endIfRetired() {
        let isOver = state.withLock { state in
            state.isRetired && state.waiting.isEmpty && state.withdrawn.isEmpty
        }
        if isOver { kill("it was replaced") }
    }
}

extension TransferProcess {
    func didStart(as number: pid_t) { state.withLock { $0.number = number } }

    /// A message out of order kills the process.
    func receive(_ message: TransferReply) {
        switch message {
        case .ready(let report):
            state.withLock { $0.sandbox = report }
        case .unable(let fault):
            state.withLock { $0.remedy = fault.remedy.printable(1024) }
            kill("it cannot work: \(fault.reason.printable(1024))")
        case .ended(let number, let outcome):
            guard end(number, outcome) else {
                return kill("it answered a transfer that it was not given")
            }
            endIfRetired()
        }
    }

    /// Resumes the caller; false if the transfer is unknown.
    private func end(_ number: UInt64, _ outcome: TransferOutcome) -> Bool {
        let (waiting, isKnown) = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: number)
            let wasWithdrawn = state.withdrawn.remove(number) != nil
            return (waiting, waiting != nil || wasWithdrawn)
        }
        waiting?.continuation.resume(
            returning: Result { () throws(TransferFailure) in
                switch outcome {
                case .response(let response): return response
                case .failure(let failure):
                    throw TransferFailure(failure.code, failure.reason.printable(300))
                }
            })
        return isKnown
    }

    /// Kills a process that does not keep the limits on time.
    func checkTime() {
        let isHung = state.withLock { state in
            state.waiting.values.contains { $0.latest < .now }
        }
        if isHung { kill("it did not end a transfer in time") }
    }

    /// Fails all transfers in progress.
    func didExit(_ description: String) {
        orders.continuation.finish()
        let (waiting, reason, failure) = state.withLock { state in
            let reason = state.killReason ?? description
            let failure = TransferFailure(
                .lost, "the transfer process was lost: \(reason)", remedy: state.remedy)
            state.loss = failure
            state.number = nil
            defer { state.waiting = [:] }
            return (state.waiting, reason, failure)
        }
        if !waiting.isEmpty {
            launch.logger.info(
                "transfer process lost",
                metadata: ["cause": "\(reason)", "transfers": "\(waiting.count)"])
        }
        for waiting in waiting.values { waiting.continuation.resume(returning: .failure(failure)) }
    }
}
