import AttachmentContainer
import AttachmentModel
import SampleMedia

/// A processor with scripted results that records its requests.
final class ScriptedProcessor: AttachmentProcessing {
    typealias Work =
        @Sendable (AttachmentRequest) async throws(AttachmentError) -> ProcessedAttachment

    private let work: Work
    private let seen = Lock<[AttachmentRequest]>([])

    init(_ work: @escaping Work) {
        self.work = work
    }

    /// The requests so far.
    var requests: [AttachmentRequest] { seen.withLock(\.self) }

    /// The `below` rung of each request.
    var below: [Rung?] { requests.map(\.below) }

    func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        seen.withLock { $0.append(request) }
        return try await work(request)
    }

    func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        try InspectedAttachment(headerOf: request)
    }

    /// Always fails with a code.
    static func failing(_ code: AttachmentError.Code) -> ScriptedProcessor {
        ScriptedProcessor { request throws(AttachmentError) in
            throw AttachmentError(code, file: request.path, reason: "on purpose")
        }
    }

    /// Fails after a delay, or on cancellation.
    static func slow(_ time: Duration) -> ScriptedProcessor {
        ScriptedProcessor { request throws(AttachmentError) in
            try? await Task.sleep(for: time)
            throw AttachmentError(.cancelled, file: request.path, reason: "on purpose")
        }
    }
}
