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
        let words = request.headers[.authorization]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer",
            tokens.accept(String(words[1]))
        else { throw Problem.unauthorised }
        return try await next(request, context)
    }
}
