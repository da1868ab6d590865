import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `POST /v1/attachments` and `GET /v1/attachments/{id}`.
struct AttachmentsEndpoint: Sendable {
    let intake: any AttachmentIntake
    let reading: UploadReading
    let container: SharedContainer
    let deadline: RequestDeadline
    let draining: Draining

    func create(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let deadline = try deadline.instant(of: request)
        if request.headers[.contentType]?.mediaType == "application/json" {
            return try await fetch(request)
        }
        let done = try await draining.cancelling { [intake, reading] in
            let (upload, label) = try await reading.receive(request)
            return try await intake.process(upload, label, until: deadline)
        }
        var response = try Response.json(
            AttachmentAnswer(done.manifest, work: done.work),
            status: done.work == .unchanged ? .ok : .created, for: request)
        response.headers[.location] =
            "/v1/attachments/\(done.manifest.identifier.percentEncoded)"
        return response
    }

    private struct Source: Decodable {
        let url: String
        let identifier: String?
        let category: String?
    }

    /// An attachment by URL, which this service cannot fetch yet.
    private func fetch(_ request: Request) async throws -> Response {
        let bytes = try await request.collect(64 << 10)
        guard let source = try? JSONDecoder().decode(Source.self, from: Data(bytes)),
            URL(string: source.url)?.scheme != nil
        else { throw Problem.invalid("body", "a JSON object with a url") }
        _ = try AttachmentLabel(identifier: source.identifier, category: source.category).checked()
        throw Problem.noURLs
    }

    func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
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
