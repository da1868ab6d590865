import AttachmentContainer
import AttachmentModel
import HTTPTypes
import Hummingbird
import NotificationPreview
import ServiceOptions

/// The routes of the page.
struct PageRoutes: Sendable {
    let trials: TrialsEndpoint
    let configuration: ServiceConfiguration

    /// Methods by path, for 405.
    var methods: [String: [String]] {
        let folder = configuration.pageSecret == nil ? "" : "/{secret}"
        return [
            "\(folder)/": ["GET", "HEAD"], "\(folder)/page/{file}": ["GET", "HEAD"],
            "\(folder)/page/trials": ["POST"],
        ]
    }

    /// The limits of the controls.
    private struct Limits: Encodable {
        struct Range: Encodable {
            let least: Int
            let most: Int
            let standard: Int
        }

        /// In MiB.
        let cap: Range
        let width: Int
        let scale: Int
        let presets: [PresetLimits]
        /// Titles of renditions by role.
        let titles: [String: String]
        /// True if trials need a token.
        let needsToken: Bool
    }

    /// Adds the routes; with tokens, trials need one, and the page's own files do not.
    func add(to router: Router<ServiceContext>, _ tokens: BearerTokens?) {
        let folder = configuration.pageSecret == nil ? router.group() : router.group("{secret}")
        if let secret = configuration.pageSecret { folder.add(middleware: SecretFolder(secret)) }
        if tokens != nil { folder.add(middleware: SiteGuard(configuration)) }
        for method in [HTTPRequest.Method.get, .head] {
            folder.on("", method: method) { request, _ in
                try request.checkQuery([])
                guard let file = PageFile("index.html") else { throw Problem.notFound }
                return file.response(to: request)
            }
            folder.on("page/{file}", method: method, use: show)
        }
        let guarded = folder.group()
        if let tokens { guarded.add(middleware: BearerAuthentication(tokens: tokens)) }
        guarded.post("page/trials", use: trials.run)
    }

    private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try request.checkQuery([])
        let name = context.parameters.get("file") ?? ""
        if name == "limits" { return try .json(limits, for: request) }
        guard let file = PageFile(name) else { throw Problem.notFound }
        return file.response(to: request)
    }

    private var limits: Limits {
        let caps = TrialSettings.caps(of: configuration)
        return Limits(
            cap: .init(
                least: caps.lowerBound, most: caps.upperBound,
                standard: configuration.renditions.cap.footprint.bytes >> 20),
            width: Int(configuration.renditions.width),
            scale: Int(configuration.renditions.scale.rounded()),
            presets: Preset.allCases.map { PresetLimits($0, in: configuration.renditions.presets) },
            titles: RenditionRole.titles, needsToken: !configuration.tokens.isEmpty)
    }
}

/// Hides what is below a folder from clients that do not know its name.
///
/// The name is a parameter of the routes, so that neither the log nor the metrics have it.
private struct SecretFolder: RouterMiddleware {
    private let digest: String

    init(_ secret: String) { digest = ContentDigest(of: secret).rawValue }

    @concurrent
    func handle(
        _ request: Request, context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        // The time to compare digests tells nothing about the secret.
        guard ContentDigest(of: context.parameters.get("secret") ?? "").rawValue == digest else {
            throw Problem.notFound
        }
        return try await next(request, context)
    }
}
