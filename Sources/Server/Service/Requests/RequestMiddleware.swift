import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import PrometheusMetrics
import Tracing

/// Outermost step of every request: id, problems, metrics and the log.
struct RequestMiddleware: RouterMiddleware {
    let metrics: ServiceMetrics
    let draining: Draining
    /// Methods by path template, for 405.
    let methods: [String: [String]]
    let logger: Logger

    @concurrent
    func handle(
        _ request: Request, context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var tracing = InstrumentationContext.topLevel
        InstrumentationSystem.instrument.extract(
            request.headers, into: &tracing, using: FieldExtractor())
        return try await withSpan("request", context: tracing, ofKind: .server) { span in
            let response = try await respond(to: request, context, span, next)
            if response.status.code >= 500 { span.setStatus(.init(code: .error)) }
            return response
        }
    }

    private func respond(
        to request: Request, _ given: ServiceContext, _ span: any Span,
        _ next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = given
        context.requestID = ServiceContext.requestID(given: request.headers[.requestID])
        context.traceParent = TraceParent(request.headers[.traceParent])
        let isHead = request.method == .head
        var response: Response
        var failure: Problem?
        do {
            response = try await next(request, context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            let problem = problem(error, of: request, context)
            failure = problem
            metrics.refusals.increment(problem.label)
            response = problem.response(requestID: context.requestID, isHead: isHead)
        }
        response.headers[.requestID] = context.requestID
        if draining.hasBegun { response.headers[.connection] = "close" }
        let path = context.endpointPath ?? "none"
        let route = path == "NotFound" ? "none" : path
        let elapsed = ContinuousClock.now - start
        let method =
            Self.methodNames.contains(request.method.rawValue)
            ? request.method.rawValue : "other"
        metrics.requests.increment(route, method, "\(response.status.code)")
        metrics.requestSeconds.record(elapsed, route)
        // Names of OpenTelemetry's conventions for HTTP spans, version 1.23.
        span.operationName = "\(method) \(route)"
        span.attributes["http.request.method"] = method
        span.attributes["http.route"] = route
        span.attributes["http.response.status_code"] = response.status.code
        span.attributes["thimble.request_id"] = context.requestID
        log(context, route, method, response, failure, elapsed)
        return response
    }

    private static let methodNames: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]

    /// Logs a request with its outcome; lines of a stream have outcomes of their own.
    private func log(
        _ context: ServiceContext, _ route: String, _ method: String, _ response: Response,
        _ failure: Problem?, _ elapsed: Duration
    ) {
        var metadata: Logger.Metadata = [
            "requestId": .string(context.requestID), "route": .string(route),
            "method": .string(method), "status": .stringConvertible(response.status.code),
            "milliseconds": .stringConvertible((elapsed / .microseconds(1)).rounded() / 1000),
        ]
        if let trace = context.traceParent { metadata["traceparent"] = .string("\(trace)") }
        if let outcome = response.headers[.outcome] { metadata["outcome"] = .string(outcome) }
        let code = failure?.code ?? response.headers[.reason]
        if let code { metadata["code"] = .string(code) }
        if let location = failure?.location { metadata["location"] = .string(location) }
        logger.info("request", metadata: metadata)
    }

    private func problem(
        _ error: any Error, of request: Request, _ context: ServiceContext
    ) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case is CancellationError: return draining.isOver ? .draining : .cancelled
        case let error as HTTPError where error.status == .notFound:
            guard let allowed = allowedMethods(at: request.uri.path) else { return .notFound }
            return .methodNotAllowed(allowed)
        default:
            if Connection.isGone { return .cancelled }
            // The type only: an error's text may quote the request.
            logger.error(
                "request failed",
                metadata: [
                    "requestId": .string(context.requestID),
                    "error": .string("\(type(of: error))"),
                ])
            return .internalError
        }
    }

    private func allowedMethods(at path: String) -> [String]? {
        let parts = path.split(separator: "/")
        return methods.first { template, _ in
            let expected = template.split(separator: "/")
            return expected.count == parts.count
                && zip(expected, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }?.value
    }
}

/// Reads the fields that tracers name, such as `traceparent`.
private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { fields[$0] }
    }
}
