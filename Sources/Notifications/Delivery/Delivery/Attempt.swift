import AttachmentContainer
import AttachmentModel
import Dispatch
import Logging

extension DeliveryRun {
    /// Runs the processor until the request's deadline, even if it ignores cancellation.
    ///
    /// After the deadline or the answer, the work is cancelled and no longer awaited. Renditions that it
    /// still publishes stay in the container for the content extension.
    func attempt(_ request: AttachmentRequest) async -> Result<ProcessedAttachment, AttachmentError>
    {
        let result = Promise<Result<ProcessedAttachment, AttachmentError>>()
        let work = Task { [stage] in
            do throws(AttachmentError) {
                let processed = try await stage.processor.process(request)
                if !result.fulfil(.success(processed)) { useLateResult(processed) }
            } catch {
                result.fulfil(.failure(error))
            }
        }
        let end: @Sendable (AttachmentError.Code, String) -> Void = { code, reason in
            result.fulfil(.failure(AttachmentError(code, file: request.path, reason: reason)))
            work.cancel()
        }
        // The delivery's own deadline cancels the work through its answer.
        let timer = request.deadline.flatMap { moment in
            moment < deadline
                ? Deadline(at: moment, mayBlock: true) { end(.late, "the deadline passed") } : nil
        }
        delivery.onAnswer { end(.cancelled, "it was cancelled") }
        let value = await result.value
        timer?.cancel()
        return value
    }

    /// Uses a result that arrived after its attempt ended, if there is no answer yet.
    private func useLateResult(_ processed: ProcessedAttachment) {
        fileQueue.async {
            guard !delivery.isAnswered, delivery.finish(draft(of: processed)) else {
                return stage.logger.debug("late renditions stay in the container")
            }
        }
    }
}
