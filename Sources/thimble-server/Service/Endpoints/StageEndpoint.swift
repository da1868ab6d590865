import HTTPTypes
import Hummingbird
import NIOCore
import NotificationDelivery
import NotificationPayload
import NotificationStaging

/// `POST /v1/stage`: one payload, or a stream of them.
struct StageEndpoint: Sendable {
    let staging: PayloadStaging
    let deadline: RequestDeadline
    let limits: JSONLimits
    let streams: Quota
    let jobs: Int
    let idleTime: Duration
    let draining: Draining

    func stage(_ request: Request, _ context: ServiceContext) async throws -> Response {
        switch request.headers[.contentType]?.mediaType {
        case "application/json": try await stageOne(request)
        case "application/x-ndjson": try stageStream(request)
        default: throw Problem.unsupportedType("application/json", "application/x-ndjson")
        }
    }

    private func stageOne(_ request: Request) async throws -> Response {
        let deadline = try deadline.instant(of: request)
        let answer = try await draining.cancelling { [staging, limits] in
            let bytes = try await request.collect(limits.maximumBytes)
            let document: JSONDocument
            do throws(PayloadError) {
                document = try JSONDocument(parsing: bytes, limits: limits)
            } catch {
                throw Problem(error)
            }
            let plan = try staging.plan(document)
            if let known = staging.known(plan) { return known }
            return try await staging.stage(plan, until: deadline)
        }
        var headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store", .noSniff: "nosniff",
            .outcome: answer.outcome.rawValue,
        ]
        if let reason = answer.reason { headers[.reason] = reason.rawValue }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.payload.bytes)))
    }

    private func stageStream(_ request: Request) throws -> Response {
        let seconds = try deadline.seconds(of: request)
        let place = try streams.take()
        let stream = PayloadStream(
            staging: staging, limits: limits, jobs: jobs, seconds: seconds, idleTime: idleTime,
            draining: draining)
        let body = request.openBody()
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/x-ndjson", .cacheControl: "no-store",
                .noSniff: "nosniff",
            ],
            body: ResponseBody { writer in
                defer { _ = place }
                try await stream.write(body, to: &writer)
                try await writer.finish(nil)
            })
    }
}

extension StagedPayload {
    /// The code of the first reason for a lesser outcome of the first attachment.
    fileprivate var reason: DeliveryReason.Code? {
        answers.isEmpty ? .noAttachment : answers.first?.reasons.first?.code
    }
}
