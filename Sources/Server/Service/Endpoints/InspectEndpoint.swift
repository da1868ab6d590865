import AttachmentContainer
import AttachmentModel
import Hummingbird

/// `POST /v1/inspect`: the facts of an attachment's header, and its ladder.
struct InspectEndpoint: Sendable {
    let intake: any AttachmentIntake
    let reading: UploadReading
    let deadline: RequestDeadline
    let draining: Draining

    /// As `thimble inspect --report json` prints it, without the file.
    private struct Answer: Encodable {
        struct Ladder: Encodable {
            let cap: MemoryCap
            let baseline: ByteCount
            let reserve: ByteCount
            let rungs: [InspectedAttachment.Step]
        }

        var header: PictureSummary?
        var media: MediaHeader?
        var predictedPeak: ByteCount?
        var ladder: Ladder?

        init(_ found: InspectedAttachment) {
            switch found.content {
            case .picture(let summary):
                header = summary
                ladder = Ladder(
                    cap: found.budget.cap, baseline: found.budget.baseline,
                    reserve: found.budget.reserve, rungs: found.steps)
            case .media(let header):
                media = header
                predictedPeak = found.predictedPeak
            }
        }
    }

    func inspect(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try request.checkQuery([])
        let deadline = try deadline.instant(of: request)
        let found = try await draining.cancelling { [intake, reading] in
            let (upload, _) = try await reading.receive(request)
            return try await intake.inspect(upload, until: deadline)
        }
        return try .json(Answer(found), for: request)
    }
}
