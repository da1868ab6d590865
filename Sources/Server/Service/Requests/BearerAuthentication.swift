import HTTPTypes
import Hummingbird

/// Refuses requests without a valid bearer token (RFC 6750).
struct BearerAuthentication: RouterMiddleware {
    let tokens: BearerTokens

    @concurrent
    func handle(
        _ request: Request, context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard tokens.accept(authorization: request.headers[.authorization]) else {
            throw Problem.unauthorised
        }
        return try await next(request, context)
    }
}
