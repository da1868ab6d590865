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
    let methods = [
        "/": ["GET", "HEAD"], "/page/{file}": ["GET", "HEAD"], "/page/trials": ["POST"],
    ]

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
        let page = router.group().add(middleware: PageGuard(names: configuration.pageHost))
        for method in [HTTPRequest.Method.get, .head] {
            page.on("", method: method) { request, _ in
                try request.checkQuery([])
                guard let file = PageFile("index.html") else { throw Problem.notFound }
                return file.response(to: request)
            }
            page.on("page/{file}", method: method, use: show)
        }
        let guarded = router.group().add(middleware: PageGuard(names: configuration.pageHost))
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
                standard: configuration.cap.footprint.bytes >> 20),
            width: Int(configuration.width), scale: Int(configuration.scale.rounded()),
            presets: Preset.allCases.map { PresetLimits($0, in: configuration.preset) },
            titles: RenditionRole.titles, needsToken: !configuration.tokens.isEmpty)
    }
}
