import AttachmentContainer

/// Uploads in progress, one for each object however many callers wait for it.
final class UploadBoard: Sendable {
    typealias Outcome = Result<Void, StoreError>
    /// The latest deadline of the callers.
    typealias LatestDeadline = @Sendable () -> ContinuousClock.Instant

    private struct Upload {
        let number: Int
        var deadline: ContinuousClock.Instant
        var task: Task<Void, Never>?
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private struct State {
        var uploads: [String: Upload] = [:]
        var last = 0

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    private let state = Lock(State())

    /// Waits for the upload of an object, which `work` begins if there is none.
    ///
    /// A caller that is cancelled or late leaves; the last one that leaves ends the upload.
    func join(
        _ file: String, until deadline: ContinuousClock.Instant,
        _ work: @escaping @Sendable (@escaping LatestDeadline) async -> Outcome
    ) async throws(StoreError) {
        let caller = state.withLock { $0.next() }
        let leave = { @Sendable [self] (code: StoreError.Code, reason: String) in
            self.leave(file, caller, StoreError(code, reason: reason))
        }
        let late = "the object was not published before the deadline"
        let timer = Deadline(at: deadline) { leave(.late, late) }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(file, caller, deadline, continuation, work)
                // Both may have happened before the caller entered.
                if Task.isCancelled { leave(.cancelled, "it was cancelled") }
                if timer.hasPassed { leave(.late, late) }
            }
        } onCancel: {
            leave(.cancelled, "it was cancelled")
        }
        try outcome.get()
    }

    private func enter(
        _ file: String, _ caller: Int, _ deadline: ContinuousClock.Instant,
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ work: @escaping @Sendable (@escaping LatestDeadline) async -> Outcome
    ) {
        state.withLock { state in
            if var upload = state.uploads[file] {
                upload.waiting[caller] = continuation
                upload.deadline = max(upload.deadline, deadline)
                state.uploads[file] = upload
                return
            }
            let number = state.next()
            var upload = Upload(number: number, deadline: deadline)
            upload.waiting[caller] = continuation
            // Ends after this lock is released, because it takes the lock itself.
            upload.task = Task {
                let outcome = await work { [self] in
                    self.state.withLock { $0.uploads[file]?.deadline ?? deadline }
                }
                end(file, number, outcome)
            }
            state.uploads[file] = upload
        }
    }

    private func leave(_ file: String, _ caller: Int, _ error: StoreError) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.uploads[file]?.waiting.removeValue(forKey: caller)
            guard continuation != nil, state.uploads[file]?.waiting.isEmpty == true else {
                return (continuation, Task<Void, Never>?.none)
            }
            // The next caller begins another upload.
            return (continuation, state.uploads.removeValue(forKey: file)?.task)
        }
        task?.cancel()
        continuation?.resume(returning: .failure(error))
    }

    private func end(_ file: String, _ number: Int, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            guard state.uploads[file]?.number == number else {
                return [Int: CheckedContinuation<Outcome, Never>]()
            }
            return state.uploads.removeValue(forKey: file)?.waiting ?? [:]
        }
        for continuation in waiting.values { continuation.resume(returning: outcome) }
    }
}
