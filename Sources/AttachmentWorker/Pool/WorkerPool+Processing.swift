import AttachmentContainer
public import AttachmentIntake
import AttachmentPlanning
import WorkerProtocol

extension WorkerPool {
    /// Makes the renditions of an attachment in a worker, and publishes them under an identifier.
    ///
    /// A movie is published as it is, and then given a frame of it to show, where `ffmpeg` is
    /// installed and takes one in time and under the cap. When the task is cancelled, or the deadline
    /// or the timeout passes, the worker is killed at once, and nothing half-written stays. The timeout
    /// bounds the work on all rungs together; waiting for a place counts against the deadline alone.
    ///
    /// - Parameter request: The file, whose notification it is, and until when.
    /// - Returns: The manifest, how much work it took and how much memory.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    public func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        var left = timeout
        let done = try await serve(request, within: &left)
        return await withPoster(done, for: request, within: left)
    }

    /// Has workers try until one answers, on lower and lower rungs where they are lost.
    ///
    /// - Parameters:
    ///   - request: The file, whose notification it is, and until when.
    ///   - left: The working time left of the timeout, on all rungs together; reduced by what it took.
    /// - Returns: The manifest, how much work it took and how much memory.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    func serve(
        _ request: AttachmentRequest, within left: inout Duration
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let file = try request.openFile()
        let recall = try await BlockingWork.run { [publisher] () throws(AttachmentError) in
            try publisher.recall(file, for: request) { .none }
        }
        switch recall {
        case .published(let done): return done
        case .work(let known): return try await serve(request, file, known, within: &left)
        }
    }

    /// Has workers try, of an attachment whose renditions are not all that they can be.
    private func serve(
        _ request: AttachmentRequest, _ file: AttachmentFile, _ known: AttachmentPublisher.Known,
        within left: inout Duration
    ) async throws(AttachmentError) -> ProcessedAttachment {
        var request = request
        var lost: AttachmentError?
        // A warm worker may have gone while nobody looked, or keep too much of what it did before:
        // neither is the attachment's doing, and a fresh one tells.
        var needsFresh = false
        while true {
            let (outcome, wasWarm) = try await attempt(
                request, file, known, within: &left, needsFresh: needsFresh)
            switch outcome {
            case .success(.success(let done)): return done
            case .success(.failure(let error)):
                guard error.code == .overCap else { throw error }
                // Below the rung that was lost there was nothing to try.
                guard wasWarm else { throw lost ?? error }
                needsFresh = true
            case .failure(let loss):
                // A worker that was ended while nobody withdrew this is one that has gone.
                let isWithdrawn = loss.cause == .withdrawn && Task.isCancelled
                guard !isWithdrawn, !request.isOverdue else {
                    throw loss.final(for: request, in: self)
                }
                guard loss.cause != .late else {
                    count(loss)
                    throw loss.final(for: request, in: self)
                }
                let rung = loss.started?.rung
                // Each restart is on a lower rung than the one before, whatever workers say: there
                // are as many as there are rungs.
                if let rung, request.below.map({ $0 < rung }) ?? true {
                    count(loss)
                    lost = loss.final(for: request, in: self)
                    request.below = rung
                } else if rung == nil, wasWarm {
                    needsFresh = true
                } else {
                    count(loss)
                    throw lost ?? loss.final(for: request, in: self)
                }
            }
        }
    }

    /// Has one worker try, from waiting for a place to its answer or its end.
    ///
    /// - Parameters:
    ///   - request: The attachment.
    ///   - file: Its open file.
    ///   - known: What is known of it.
    ///   - left: The working time left; reduced by what the attempt took once it had a place.
    ///   - needsFresh: Whether a worker that was at work before will not do.
    /// - Returns: What became of it, and whether the worker was at work before.
    /// - Throws: `AttachmentError` when there was no place for it in time.
    private func attempt(
        _ request: AttachmentRequest, _ file: AttachmentFile,
        _ known: AttachmentPublisher.Known, within left: inout Duration, needsFresh: Bool
    ) async throws(AttachmentError) -> (outcome: Outcome, wasWarm: Bool) {
        var warm: Worker?
        do {
            warm = try await takePlace(until: request.deadline)
        } catch {
            throw request.unserved
        }
        let begun = ContinuousClock.now
        let latest = request.deadline.map { min($0, begun + left) } ?? begun + left
        defer { left -= begun.duration(to: .now) }
        if needsFresh {
            await warm?.end()
            warm = nil
        }
        let outputs: [OwnedDescriptor]
        do {
            outputs = try launch.makeOutputs()
        } catch {
            await roster.giveBack(warm)
            throw .storing(error, of: request.path)
        }
        do throws(WorkerLoss) {
            let worker: Worker
            if let warm {
                worker = warm
            } else {
                worker = try await start(within: ContinuousClock.now.duration(to: latest))
            }
            let time = ContinuousClock.now.duration(to: latest)
            let answer = await worker.perform(
                request.message(known, within: time), file, to: outputs, within: time)
            let outcome = await publish(answer, of: worker, from: outputs, file, known, request)
            // A place is free when nothing runs there any more.
            if worker.isGone || (warm != nil && outcome.isOverCap) { await worker.end() }
            await roster.giveBack(worker.isGone ? nil : worker)
            return (outcome, warm != nil)
        } catch {
            await roster.giveBack(nil)
            return (.failure(error), false)
        }
    }

    /// Publishes what a worker made; one that misreports it is ended.
    private func publish(
        _ answer: Worker.Outcome, of worker: Worker, from outputs: [OwnedDescriptor],
        _ file: AttachmentFile, _ known: AttachmentPublisher.Known, _ request: AttachmentRequest
    ) async -> Outcome {
        let rendering: Rendering
        switch answer {
        case .success(.success(let made)): rendering = made
        case .success(.failure(let error)):
            return .success(.failure(error.reported(of: request.path)))
        case .failure(let loss): return .failure(loss)
        }
        do throws(AttachmentPublisher.Refusal) {
            let done = try await BlockingWork.run {
                [publisher] () throws(AttachmentPublisher.Refusal) in
                try publisher.publish(rendering, from: outputs, of: file, known, for: request)
            }
            return .success(.success(done))
        } catch {
            guard case .failed(let error) = error else {
                let cause = WorkerLoss.Cause.breach("it gave renditions that no attachment has")
                worker.kill(cause)
                return .failure(WorkerLoss(cause: cause))
            }
            return .success(.failure(error))
        }
    }

    /// How one attempt ended.
    private typealias Outcome = Result<Result<ProcessedAttachment, AttachmentError>, WorkerLoss>

    /// Waits for a place, at most until the deadline.
    func takePlace(
        until deadline: ContinuousClock.Instant?
    ) async throws(CancellationError) -> Worker? {
        guard let deadline else { return try await roster.take() }
        let waiting = Task { [roster] in try await roster.take() }
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            waiting.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await waiting.result
        } onCancel: {
            waiting.cancel()
        }
        switch result {
        case .success(let worker): return worker
        case .failure: throw CancellationError()
        }
    }
}

extension Result<Result<ProcessedAttachment, AttachmentError>, WorkerLoss> {
    /// Whether there was no rung for it beside what the worker takes itself.
    fileprivate var isOverCap: Bool {
        if case .success(.failure(let error)) = self { error.code == .overCap } else { false }
    }
}

extension WorkerLoss {
    /// What the loss means for its attachment, the deadline considered.
    fileprivate func final(for request: AttachmentRequest, in pool: WorkerPool) -> AttachmentError {
        if cause != .withdrawn, request.isOverdue { return request.unserved }
        return error(for: request.path, cap: pool.hardCap, timeout: pool.timeout)
    }

    /// Why a worker did not get ready, in a sentence without its full stop.
    ///
    /// - Parameter cap: The cap in force.
    /// - Returns: The reason.
    func startFailure(under cap: HardCap) -> String {
        switch cause {
        case .memory, .killed:
            "it takes more than the cap of \(cap.cap) (\(cap.mechanism.rawValue)) by itself; "
                + "raise --cap"
        case .unable(let reason): reason
        case .crashed(let how), .breach(let how): output.isEmpty ? how : "\(how): \(output)"
        case .late: "it takes longer than the timeout"
        case .withdrawn: "it was stopped"
        }
    }
}

extension AttachmentRequest {
    /// Whether an answer is of no use any more.
    fileprivate var isOverdue: Bool { deadline.map { $0 <= .now } ?? false }

    /// The error when no worker got to it.
    fileprivate var unserved: AttachmentError {
        isOverdue
            ? AttachmentError(.late, file: path, reason: "it was not done before the deadline")
            : AttachmentError(.cancelled, file: path, reason: "it was withdrawn")
    }

    /// The request for a worker that has so much time for it.
    fileprivate func message(
        _ known: AttachmentPublisher.Known, within time: Duration
    ) -> WorkerRequest {
        WorkerRequest(below: below, time: time, known: known.rung, isPoster: posterOf != nil)
    }
}
