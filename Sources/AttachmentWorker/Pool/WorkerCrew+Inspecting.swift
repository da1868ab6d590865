import AttachmentIntake

extension WorkerCrew {
    /// Has a worker read the header of an attachment and plan it.
    ///
    /// A worker that was at work before and is lost is replaced once.
    ///
    /// - Parameter path: The attachment's file.
    /// - Returns: The header, the budget and the judged ladder.
    /// - Throws: `AttachmentError` with the file and the reason.
    func inspect(_ path: String) async throws(AttachmentError) -> InspectedAttachment {
        let file = try AttachmentFile(path: path)
        var left = launch.timeout
        var needsFresh = false
        while true {
            let (reply, wasWarm) = try await attempt(file, within: &left, needsFresh: needsFresh)
            switch reply {
            case .success(.success(let found)): return found
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

    /// Has one worker try.
    ///
    /// - Parameters:
    ///   - file: The open attachment.
    ///   - left: The working time left; reduced by the time that the attempt took.
    ///   - needsFresh: True to replace a worker that was at work before.
    /// - Returns: The reply, and whether the worker was at work before.
    /// - Throws: `AttachmentError` with code `cancelled` when there was no place for it.
    private func attempt(
        _ file: AttachmentFile, within left: inout Duration, needsFresh: Bool
    ) async throws(AttachmentError) -> (Worker.Reply<InspectedAttachment>, wasWarm: Bool) {
        var warm: Worker?
        do {
            warm = try await roster.take()
        } catch {
            throw AttachmentError(.cancelled, file: file.path, reason: "it was withdrawn")
        }
        let latest = ContinuousClock.now + left
        defer { left = ContinuousClock.now.duration(to: latest) }
        if needsFresh {
            await warm?.end()
            warm = nil
        }
        do throws(WorkerLoss) {
            let worker: Worker
            if let warm {
                worker = warm
            } else {
                worker = try await start(within: ContinuousClock.now.duration(to: latest))
            }
            let time = ContinuousClock.now.duration(to: latest)
            let reply = checked(await worker.inspect(file, within: time), of: worker)
            // A place is free when nothing runs there any more.
            if worker.isGone { await worker.end() }
            await roster.giveBack(worker.isGone ? nil : worker)
            return (reply, warm != nil)
        } catch {
            await roster.giveBack(nil)
            return (.failure(error), false)
        }
    }

    /// Ends a worker whose answer no attachment has.
    private func checked(
        _ reply: Worker.Reply<InspectedAttachment>, of worker: Worker
    ) -> Worker.Reply<InspectedAttachment> {
        guard case .success(.success(let found)) = reply, !found.isPlausible else { return reply }
        let cause = WorkerLoss.Cause.breach("it gave facts that no attachment has")
        worker.kill(cause)
        return .failure(WorkerLoss(cause: cause))
    }
}
