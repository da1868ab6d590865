import NotificationStaging
import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NotificationPayload
import ServiceOptions

/// `POST /page/trials`: an attachment or a payload in, everything that the page shows out.
///
/// The upload is an unnamed file, and its renditions are removed before the answer is sent.
struct TrialsEndpoint: Sendable {
    let configuration: ServiceConfiguration
    let container: SharedContainer
    let fetcher: AttachmentFetcher?
    let reading: UploadReading
    let quota: Quota
    let deadline: RequestDeadline
    let draining: Draining
    let logger: Logger

    func run(_ request: Request, _ context: ServiceContext) async throws -> Response {
        // No form of another site can send this field.
        guard request.headers[.page] == "1" else { throw Problem.otherSite }
        let settings = try TrialSettings.read(request, configuration)
        let deadline = try deadline.instant(of: request)
        let found: TrialAnswer = try await draining.cancelling { [self] in
            try await answer(to: request, settings, until: deadline)
        }
        var response = try Response.json(found, for: request)
        PagePolicy.add(to: &response.headers)
        return response
    }

    private func answer(
        to request: Request, _ settings: ProcessingSettings, until deadline: ContinuousClock.Instant
    ) async throws -> TrialAnswer {
        var answer = TrialAnswer()
        let file: AttachmentFile?
        if request.headers[.contentType]?.mediaType == "application/json" {
            let limit = configuration.maxPayloadBytes.bytes
            let payload = TrialPayload(
                try await request.collect(limit),
                style: configuration.payloads.staging.payloadStyle,
                limits: JSONLimits(maximumBytes: limit))
            await payload.describe(in: &answer)
            do throws(Problem) {
                file = try await payload.picture(fetcher, until: deadline)
            } catch {
                answer.problem = .init(error)
                return answer
            }
        } else {
            file = try await reading.receive(request).0.file
        }
        guard let file else { return answer }
        // Taken after the body, so that a slow client holds no place.
        let place = try quota.take()
        defer { withExtendedLifetime(place) {} }
        let folder = try await TrialFolder.make(in: container)
        await TrialRun(settings: settings, configuration: configuration, logger: logger)
            .run(file, in: folder.container, until: deadline, into: &answer)
        await folder.remove()
        return answer
    }
}

extension HTTPField.Name {
    fileprivate static let page = literal("thimble-page")
}
