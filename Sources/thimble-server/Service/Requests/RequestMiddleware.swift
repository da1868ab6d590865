import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import PrometheusMetrics

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
        let start = ContinuousClock.now
        var context = context
        context.requestID = ServiceContext.requestID(given: request.headers[.requestID])
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
            metrics.refusals.increment(problem.code)
            response = problem.response(requestID: context.requestID, isHead: isHead)
        }
        response.headers[.requestID] = context.requestID
        if draining.hasBegun { response.headers[.connection] = "close" }
        let route = context.endpointPath ?? "none"
        let elapsed = ContinuousClock.now - start
        let method =
            Self.methodNames.contains(request.method.rawValue)
            ? request.method.rawValue : "other"
        metrics.requests.increment(
            route == "NotFound" ? "none" : route, method, "\(response.status.code)")
        metrics.requestSeconds.record(elapsed, route == "NotFound" ? "none" : route)
        log(context, route, method, response.status.code, failure, elapsed)
        return response
    }

    private static let methodNames: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]

    private func log(
        _ context: ServiceContext, _ route: String, _ method: String, _ status: Int,
        _ failure: Problem?, _ elapsed: Duration
    ) {
        var metadata: Logger.Metadata = [
            "requestId": .string(context.requestID), "route": .string(route),
            "method": .string(method), "status": .stringConvertible(status),
            "seconds": .stringConvertible(elapsed / .seconds(1)),
        ]
        if let failure {
            metadata["code"] = .string(failure.code)
            if let location = failure.location { metadata["location"] = .string(location) }
        }
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
