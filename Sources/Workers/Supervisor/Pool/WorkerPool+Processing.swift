import AttachmentContainer
public import AttachmentModel
internal import AttachmentPublishing
import WorkerProtocol

extension WorkerPool {
    /// Makes renditions of an attachment in a worker and publishes them.
    ///
    /// A movie is published unchanged and then gets a poster frame, if `ffmpeg` is installed and
    /// delivers one in time and under the cap. If it cannot be attached, only stills of that frame are
    /// published. Cancellation, the deadline or the timeout kill the
    /// worker. Waiting for a free worker counts toward the deadline only.
    public func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        var left = timeout
        let done = try await serve(request, within: &left)
        return await withPoster(done, for: request, within: left)
    }

    /// Tries workers until one answers, one rung lower after each loss.
    ///
    /// A rung whose worker was killed by a control group's limit is tried again once: the kernel also
    /// counts pages that a slow disk has not written yet (seen with cgroup v1, once in 1,400
    /// pictures under 12 MiB beside a busy disk), and a busy disk must not change the rendition.
    func serve(
        _ request: AttachmentRequest, within left: inout Duration
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let file = try publisher.openFileToShare(of: request)
        let recall = try await observing(.recall) { () async throws(AttachmentError) in
            try await BlockingWork.run { [publisher] () throws(AttachmentError) in
                try publisher.recall(file, for: request) { .none }
            }
        }
        switch recall {
        case .published(let done): return done
        case .work(let known): return try await serve(request, file, known, within: &left)
        }
    }

    private func serve(
        _ request: AttachmentRequest, _ file: AttachmentFile, _ known: AttachmentPublisher.Known,
        within left: inout Duration
    ) async throws(AttachmentError) -> ProcessedAttachment {
        var request = request
        var program = launch.firstProgram
        var lost: AttachmentError?
        var repeated: Set<Rung> = []
        // A warm worker may have exited unnoticed, or hold too much memory from earlier work.
        // Neither is the attachment's fault, so it is retried with a fresh worker.
        var needsFresh = false
        while true {
            let (outcome, wasWarm) = try await attempt(
                request, file, known, in: program, within: &left, needsFresh: needsFresh)
            switch outcome {
            case .success(.success(let sealed)):
                if let movie = publisher.unattachable(sealed, for: request) {
                    return try await still(
                        of: movie.manifest, file, instead: movie.refusal, for: request,
                        within: left)
                }
                // The worker is free for another attachment meanwhile.
                let publishing = request
                return try await observing(.publish) { () async throws(AttachmentError) in
                    try await BlockingWork.run { [publisher] () throws(AttachmentError) in
                        try publisher.publish(sealed, for: publishing)
                    }
                }
            case .success(.failure(let error))
            where error.code == .needsLibvips && program == .rows:
                (program, needsFresh) = (.libvips, false)
            case .success(.failure(let error)):
                guard error.isLackOfMemory else { throw error }
                // No rung exists below the one that was lost.
                guard wasWarm else { throw lost ?? error }
                needsFresh = true
            case .failure(let loss):
                // A worker cancelled without a cancelled request had already exited.
                let isWithdrawn = loss.cause == .withdrawn && Task.isCancelled
                guard !isWithdrawn, !request.isOverdue else {
                    throw loss.final(for: request, in: self)
                }
                guard loss.cause != .decoder else { throw loss.final(for: request, in: self) }
                guard loss.cause != .late else {
                    crew.count(loss)
                    throw loss.final(for: request, in: self)
                }
                let rung = loss.started?.rung
                // Terminates: but for one repetition of each rung, every restart is on a lower rung than
                // the one before.
                if let rung, request.below.map({ $0 < rung }) ?? true {
                    crew.count(loss)
                    lost = loss.final(for: request, in: self)
                    if loss.cause == .memory, hardCap.countsPageCache,
                        repeated.insert(rung).inserted
                    {
                        needsFresh = true
                    } else {
                        request.below = rung
                    }
                } else if rung == nil, wasWarm {
                    needsFresh = true
                } else {
                    crew.count(loss)
                    throw lost ?? loss.final(for: request, in: self)
                }
            }
        }
    }

    private func attempt(
        _ request: AttachmentRequest, _ file: AttachmentFile,
        _ known: AttachmentPublisher.Known, in program: WorkerProgram,
        within left: inout Duration, needsFresh: Bool
    ) async throws(AttachmentError) -> (outcome: Worker.Reply<SealedAttachment>, wasWarm: Bool) {
        var warm: Worker?
        do {
            warm = try await observing(.place) { () async throws(WorkerRoster.Failure) in
                try await roster.take(program, until: request.deadline)
            }
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
        let outcome = await observing(.decode) {
            await crew.occupyPlace(of: warm, program, until: latest) { worker, time in
                await render(request, file, known, in: worker, within: time)
            }
        }
        return (outcome, warm != nil)
    }

    private func render(
        _ request: AttachmentRequest, _ file: AttachmentFile, _ known: AttachmentPublisher.Known,
        in worker: Worker, within time: Duration
    ) async -> Worker.Reply<SealedAttachment> {
        let threads = roster.takeThreads()
        defer { roster.giveBack(threads: threads) }
        let message = request.message(known, within: time, threads: threads)
        let outputs: [OwnedDescriptor]
        do {
            outputs = try worker.outputs.emptied(message.outputs)
        } catch {
            return .success(.failure(.storing(error, of: request.path)))
        }
        let answer = await worker.perform(message, file, to: outputs, within: time)
        switch answer {
        case .success(.success(let rendering)):
            return await seal(rendering, of: worker, from: outputs, file, known)
        case .success(.failure(let error)):
            return .success(.failure(error.reported(of: request.path)))
        case .failure(let loss): return .failure(loss)
        }
    }

    /// A worker that misreports its renditions is killed.
    private func seal(
        _ rendering: Rendering, of worker: Worker, from outputs: [OwnedDescriptor],
        _ file: AttachmentFile, _ known: AttachmentPublisher.Known
    ) async -> Worker.Reply<SealedAttachment> {
        do throws(AttachmentPublisher.Refusal) {
            let sealed = try await BlockingWork.run {
                [publisher] () throws(AttachmentPublisher.Refusal) in
                try publisher.seal(rendering, from: outputs, of: file, known)
            }
            return .success(.success(sealed))
        } catch {
            guard case .failed(let error) = error else {
                let cause = WorkerLoss.Cause.breach("its renditions are implausible")
                worker.kill(cause)
                return .failure(WorkerLoss(cause: cause))
            }
            return .success(.failure(error))
        }
    }
}

extension WorkerLoss {
    fileprivate func final(for request: AttachmentRequest, in pool: WorkerPool) -> AttachmentError {
        if cause != .withdrawn, request.isOverdue { return request.unserved }
        return error(for: request.path, cap: pool.hardCap, timeout: pool.timeout)
    }

    /// The failure of a worker that starts in advance.
    func startFault(under cap: HardCap) -> Fault {
        let (reason, remedy): (String, String) =
            switch cause {
            case .memory, .killed:
                (
                    "it needs more than the cap of \(cap.cap) (\(cap.mechanism.rawValue)) by itself",
                    "raise the cap"
                )
            case .unable(let fault): (fault.reason, fault.remedy)
            case .crashed(let how), .breach(let how):
                (
                    output.isEmpty ? how : "\(how): \(output)",
                    "install the workers and their libraries again"
                )
            case .decoder: ("its decoder needs more memory", "raise the cap")
            case .late: ("it takes longer than the timeout", "allow more time")
            case .withdrawn: ("it was cancelled", "try again")
            }
        return Fault(
            .workers, "not-ready", reason: "no worker becomes ready: \(reason)", remedy: remedy)
    }
}

extension AttachmentRequest {
    fileprivate var isOverdue: Bool { deadline.map { $0 <= .now } ?? false }

    fileprivate var unserved: AttachmentError {
        isOverdue
            ? AttachmentError(.late, file: path, reason: "it was not done before the deadline")
            : AttachmentError(.cancelled, file: path, reason: "it was cancelled")
    }

    fileprivate func message(
        _ known: AttachmentPublisher.Known, within time: Duration, threads: Int
    ) -> WorkerRequest {
        WorkerRequest(
            below: below, time: time, known: known.rung, isPoster: posterOf != nil,
            threads: threads, presets: known.presets)
    }
}
