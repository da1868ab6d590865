import AttachmentModel

extension WorkerCrew {
    /// Inspects in a worker; a lost one that had served before is replaced once.
    ///
    /// `mayExceed` allows one worker more than there are places.
    func inspect(
        _ request: AttachmentRequest, mayExceed: Bool = false
    ) async throws(AttachmentError) -> InspectedAttachment {
        let file = try request.openFileToShare()
        let path = request.path
        var left = launch.timeout
        if let deadline = request.deadline {
            left = min(left, ContinuousClock.now.duration(to: deadline))
        }
        var program = launch.firstProgram
        var needsFresh = false
        while true {
            let (reply, wasWarm) = try await attempt(
                file, in: program, within: &left, needsFresh: needsFresh, mayExceed: mayExceed)
            switch reply {
            case .success(.success(let found)): return found
            case .success(.failure(let error))
            where error.code == .needsLibvips && program == .rows:
                (program, needsFresh) = (.libvips, false)
            case .success(.failure(let error)): throw error.reported(of: path)
            case .failure(let loss):
                let isWithdrawn = loss.cause == .withdrawn && Task.isCancelled
                guard !isWithdrawn, loss.cause != .late, wasWarm else {
                    if !isWithdrawn { count(loss) }
                    throw loss.error(for: path, cap: launch.hardCap, timeout: launch.timeout)
                }
                needsFresh = true
            }
        }
    }

    /// Inspects in one worker, and reduces `left` by the time taken.
    ///
    /// `needsFresh` replaces a worker that has served before; `wasWarm` is true for such a worker.
    private func attempt(
        _ file: AttachmentFile, in program: WorkerProgram, within left: inout Duration,
        needsFresh: Bool, mayExceed: Bool
    ) async throws(AttachmentError) -> (Worker.Reply<InspectedAttachment>, wasWarm: Bool) {
        var warm: Worker?
        do {
            warm = try await roster.take(program, mayExceed: mayExceed)
        } catch {
            throw AttachmentError(.cancelled, file: file.path, reason: "it was cancelled")
        }
        let latest = ContinuousClock.now + left
        defer { left = ContinuousClock.now.duration(to: latest) }
        if needsFresh {
            await warm?.end()
            warm = nil
        }
        let reply = await occupyPlace(of: warm, program, until: latest) { worker, time in
            checked(await worker.inspect(file, within: time), of: worker)
        }
        return (reply, warm != nil)
    }

    private func checked(
        _ reply: Worker.Reply<InspectedAttachment>, of worker: Worker
    ) -> Worker.Reply<InspectedAttachment> {
        guard case .success(.success(let found)) = reply, !found.isPlausible else { return reply }
        let cause = WorkerLoss.Cause.breach("it gave facts that no attachment has")
        worker.kill(cause)
        return .failure(WorkerLoss(cause: cause))
    }
}
