import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NotificationDelivery
import NotificationStaging

/// `POST /v1/attachments` and `GET /v1/attachments/{id}`.
struct AttachmentsEndpoint: Sendable {
    let intake: any AttachmentIntake
    let reading: UploadReading
    let fetching: AttachmentFetching
    let publishing: RenditionPublishing
    let container: SharedContainer
    let deadline: RequestDeadline
    let draining: Draining

    func create(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try request.checkQuery([])
        let deadline = try deadline.instant(of: request)
        let isNamed = request.headers[.contentType]?.mediaType == "application/json"
        let (done, published): (ProcessedAttachment, [PublishedURL]?) =
            try await draining.cancelling {
                [intake, reading, fetching, publishing] in
                let (upload, label) =
                    isNamed
                    ? try await fetching.receive(request, until: deadline)
                    : try await reading.receive(request)
                let done = try await intake.process(upload, label, until: deadline)
                do throws(DeliveryReason) {
                    return (
                        done, try await publishing.publish(done.manifest.published, by: deadline)
                    )
                } catch {
                    throw Problem(error)
                }
            }
        var response = try Response.json(
            AttachmentAnswer(done.manifest, work: done.work, published: published),
            status: done.work == .unchanged ? .ok : .created, for: request)
        response.headers[.location] =
            "/v1/attachments/\(done.manifest.identifier.percentEncoded)"
        return response
    }

    func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try request.checkQuery([])
        guard let identifier = context.parameters.get("id")?.removingPercentEncoding,
            !identifier.isEmpty
        else { throw Problem.noAttachment }
        let manifest: Manifest?
        do throws(ContainerError) {
            manifest = try await BlockingWork.run { [container] () throws(ContainerError) in
                try container.manifest(for: identifier)
            }
        } catch {
            throw Problem(error)
        }
        guard let manifest else { throw Problem.noAttachment }
        return try .json(AttachmentAnswer(manifest), for: request, eTag: true)
    }
}

extension String {
    /// Everything but unreserved characters encoded (RFC 3986, section 2.3).
    fileprivate var percentEncoded: String {
        addingPercentEncoding(
            withAllowedCharacters: CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
            )) ?? ""
    }
}
