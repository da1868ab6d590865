import AttachmentIntake
import Dispatch
import Logging

extension DeliveryCourse {
    /// Has the processor work until a moment, whether or not it listens.
    ///
    /// When the moment or the answer comes first, the work is cancelled and no longer waited for. What
    /// it publishes all the same stays in the container, where the content extension finds it.
    ///
    /// - Parameter request: The attachment, with the moment as its deadline.
    /// - Returns: What the processor says, or that it is late.
    func attempt(_ request: AttachmentRequest) async -> Result<ProcessedAttachment, AttachmentError>
    {
        let result = Promise<Result<ProcessedAttachment, AttachmentError>>()
        let work = Task { [stage] in
            do throws(AttachmentError) {
                let processed = try await stage.processor.process(request)
                if !result.keep(.success(processed)) { takeLate(processed) }
            } catch {
                result.keep(.failure(error))
            }
        }
        let end: @Sendable (AttachmentError.Code, String) -> Void = { code, reason in
            result.keep(.failure(AttachmentError(code, file: request.path, reason: reason)))
            work.cancel()
        }
        // The delivery's own deadline interrupts with its answer.
        let alarm = request.deadline.flatMap { moment in
            moment < deadline ? Alarm(at: moment) { end(.late, "it was not done in time") } : nil
        }
        delivery.interrupting { end(.cancelled, "it was withdrawn") }
        let value = await result.value
        alarm?.cancel()
        return value
    }

    /// Uses what the processor brought after it was given up, when there is still time.
    private func takeLate(_ processed: ProcessedAttachment) {
        files.async {
            guard !delivery.isAnswered, delivery.settle(draft(of: processed)) else {
                return stage.logger.debug(
                    "renditions came after the answer and stay in the container")
            }
        }
    }
}
