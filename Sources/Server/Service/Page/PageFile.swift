import AttachmentContainer
import HTTPTypes
import Hummingbird
import NIOCore
import NotificationPreview

/// The files of the page, which the program carries in it.
struct PageFile: Sendable {
    let bytes: [UInt8]
    let type: String

    /// The file of a name; nil for any other.
    init?(_ name: String) {
        let found: [UInt8]? =
            switch name {
            case "index.html": PackageResources.index_html
            case "icon.svg": PackageResources.icon_svg
            case "colours.css": StyleSheet.colours
            case "notification.css": StyleSheet.notification
            case "page.css": PackageResources.page_css
            case "results.css": PackageResources.results_css
            case "cards.js": PackageResources.cards_js
            case "chart.js": PackageResources.chart_js
            case "command.js": PackageResources.command_js
            case "dom.js": PackageResources.dom_js
            case "intake.js": PackageResources.intake_js
            case "ladder.js": PackageResources.ladder_js
            case "main.js": PackageResources.main_js
            case "notification.js": PackageResources.notification_js
            case "presets.js": PackageResources.presets_js
            case "renditions.js": PackageResources.renditions_js
            case "trial.js": PackageResources.trial_js
            case "units.js": PackageResources.units_js
            default: nil
            }
        guard let found, let ending = name.split(separator: ".").last,
            let type = Self.types[String(ending)]
        else { return nil }
        bytes = found
        self.type = type
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    func response(to request: Request) -> Response {
        let tag = "\"\(ContentDigest(of: bytes).rawValue.prefix(32))\""
        var headers: HTTPFields = [
            .contentType: type, .eTag: tag, .cacheControl: "no-cache", .noSniff: "nosniff",
        ]
        PagePolicy.add(to: &headers)
        if EntityTags.match(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentLength] = "\(bytes.count)"
        return Response(
            status: .ok, headers: headers,
            body: request.method == .head
                ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
