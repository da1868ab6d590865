import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NotificationPayload
import NotificationStaging
import Tracing

/// `POST /v1/stage`: one payload, an array of them, or a stream.
struct StageEndpoint: Sendable {
    let staging: PayloadStaging
    let deadline: RequestDeadline
    let limits: JSONLimits
    let streams: Quota
    let jobs: Int
    let idleTime: Duration
    let draining: Draining
    let logger: Logger
    let logsWholeURLs: Bool

    func stage(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try request.checkQuery(["envelope"])
        let trace = PayloadTrace(
            logger: logger, requestID: context.requestID, traceParent: context.traceParent,
            wholeURLs: logsWholeURLs)
        return switch request.headers[.contentType]?.mediaType {
        case "application/json": try await stageDocument(request, trace)
        case "application/x-ndjson":
            try stageStream(request.openBody(), of: request, "application/x-ndjson", trace)
        default: throw Problem.unsupportedType("application/json", "application/x-ndjson")
        }
    }

    private func stageDocument(_ request: Request, _ trace: PayloadTrace) async throws -> Response {
        let deadline = try deadline.instant(of: request)
        let isEnveloped = try request.queryFlag("envelope")
        let limit = staging.limit(pushType: request.headers[.pushType])
        let document = try await draining.cancelling { [limits] in
            let bytes = try await request.collect(limits.maximumBytes)
            do throws(PayloadError) {
                return try JSONDocument(parsing: bytes, limits: limits)
            } catch {
                throw Problem(error)
            }
        }
        guard !document.isBatch else {
            // Lines of an envelope are no array.
            let type = isEnveloped ? "application/x-ndjson" : "application/json"
            let body = AsyncStream<ByteBuffer> { parts in
                parts.yield(ByteBuffer(bytes: document.bytes))
                parts.finish()
            }
            return try stageStream(body, of: request, type, trace)
        }
        let answer = try await draining.cancelling { [staging] in
            let plan = try staging.plan(document, limit: limit)
            if let known = staging.known(plan) { return known }
            return try await staging.stage(plan, until: deadline)
        }
        var headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store", .noSniff: "nosniff",
            .outcome: answer.outcomes.map(\.rawValue).joined(separator: ", "),
        ]
        headers[.reach] = reach
        let report = PayloadReport(
            answer, line: 1, requestID: trace.requestID, wholeURLs: trace.wholeURLs)
        trace.log(report)
        if let reason = report.reasons.first { headers[.reason] = reason.code }
        let payload = answer.payload.bytes
        let bytes = isEnveloped ? PayloadEnvelope.line(report, payload: payload) : payload
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The devices that renditions reach: all, or only programs on this machine.
    private var reach: String { staging.reachesDevices ? "devices" : "this-machine" }

    private func stageStream<Body: AsyncSequence & Sendable>(
        _ open: @autoclosure () -> Body, of request: Request, _ type: String, _ trace: PayloadTrace
    ) throws -> Response where Body.Element == ByteBuffer {
        let seconds = try deadline.seconds(of: request)
        let place = try streams.take()
        let stream = PayloadStream(
            staging: staging, limits: limits, jobs: jobs, seconds: seconds, idleTime: idleTime,
            draining: draining, trace: trace, isEnveloped: try request.queryFlag("envelope"),
            payloadLimit: staging.limit(pushType: request.headers[.pushType]))
        // A client with Expect: 100-continue sends once it has a place.
        let body = open()
        // The stream is written after the request's span.
        let tracing = InstrumentationContext.current
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store", .noSniff: "nosniff", .reach: reach,
                .trailer: HTTPField.Name.summary.rawName,
            ],
            body: ResponseBody { writer in
                defer { _ = place }
                let summary = try await InstrumentationContext.$current.withValue(tracing) {
                    try await stream.write(body, to: &writer)
                }
                try await writer.finish([.summary: summary.field])
            })
    }
}
