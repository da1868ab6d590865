import AttachmentContainer
import AttachmentModel

/// Intake by sandboxed workers, behind the queue.
struct WorkerIntake: AttachmentIntake {
    let processor: any AttachmentProcessing
    let queue: WorkQueue
    let metrics: ServiceMetrics

    func process(
        _ upload: Upload, _ label: AttachmentLabel, until deadline: ContinuousClock.Instant
    ) async throws(Problem) -> ProcessedAttachment {
        var request = AttachmentRequest(
            path: upload.file.path,
            identifier: label.identifier(of: upload.digest), category: label.category,
            deadline: deadline)
        request.presets = label.presets
        request.file = upload.file
        return try await queued(upload, request) {
            [processor, request] () throws(AttachmentError) in
            try await processor.process(request)
        }
    }

    func inspect(
        _ upload: Upload, until deadline: ContinuousClock.Instant
    ) async throws(Problem) -> InspectedAttachment {
        var request = AttachmentRequest(
            path: upload.file.path, identifier: "", deadline: deadline)
        request.file = upload.file
        return try await queued(upload, request) {
            [processor, request] () throws(AttachmentError) in
            try await processor.inspect(request)
        }
    }

    private func queued<Value: Sendable>(
        _ upload: Upload, _ request: AttachmentRequest,
        _ work: () async throws(AttachmentError) -> Value
    ) async throws(Problem) -> Value {
        let entry = ContinuousClock.now
        let deadline = request.deadline ?? entry + .seconds(60)
        let result: Result<Value, AttachmentError>
        do throws(WorkQueue.Refusal) {
            result = try await queue.run(bytes: upload.file.length.bytes, until: deadline) {
                metrics.record(.queue, ContinuousClock.now - entry)
                return await Result.catching(work)
            }
        } catch {
            throw Problem(error)
        }
        do throws(AttachmentError) {
            return try result.get()
        } catch {
            throw Problem(error)
        }
    }
}

extension Result where Failure == AttachmentError {
    fileprivate static func catching(
        _ work: () async throws(AttachmentError) -> Success
    ) async -> Self {
        do throws(AttachmentError) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}

extension Problem {
    init(_ refusal: WorkQueue.Refusal) {
        switch refusal {
        case .full(let seconds): self = .overloaded(retryAfter: seconds)
        case .late:
            self.init(
                AttachmentError(
                    .late, file: "", reason: "it was not begun before the deadline"))
        case .cancelled: self = .cancelled
        }
    }
}
