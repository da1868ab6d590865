public import AttachmentContainer

/// One self-contained page with both stages of a notification, and the figures behind them.
public struct PreviewPage: Sendable {
    /// The drawn notification.
    public var drawing: NotificationDrawing
    /// The appearances, one row each; by default light and dark.
    public var appearances = NotificationDrawing.Appearance.allCases
    /// Facts below the drawings, as pairs of name and value.
    public var facts: [(name: String, value: String)] = []
    /// The reason for which a picture is missing, and its remedy; nil if none is missing.
    public var problem: (reason: String, remedy: String)?

    /// Creates a page without facts.
    public init(_ drawing: NotificationDrawing) { self.drawing = drawing }

    /// The page as HTML.
    public var html: String { document(script: nil) }

    /// The same page, which prints only its height in pixels once it is laid out.
    package var heightProbe: String {
        document(
            script: """
                const height = String(document.body.scrollHeight);
                document.documentElement.replaceChildren(height);
                """)
    }

    private func document(script: String?) -> String {
        Markup.document(
            title: "Preview of a notification",
            sheets: StyleSheet.text(
                StyleSheet.colours, StyleSheet.notification, StyleSheet.preview),
            script: script,
            body: .element(
                "main", ["class": "preview"],
                .element("h1", ["class": "visually-hidden"], .text("Preview of a notification")),
                .group(appearances.map(row)),
                problem.map(warning) ?? .none,
                facts.isEmpty ? .none : list))
    }

    private func row(_ appearance: NotificationDrawing.Appearance) -> Markup {
        .element(
            "section",
            ["class": "preview-row", "aria-label": "Appearance: \(appearance.rawValue)"],
            NotificationDrawing.Stage.allCases.map { stage in
                .element(
                    "figure", [:],
                    drawing.screen(stage, appearance),
                    .element("figcaption", [:], .text("\(stage.caption), \(appearance.rawValue)")))
            })
    }

    private func warning(_ reason: String, _ remedy: String) -> Markup {
        .element(
            "p", ["class": "preview-problem"],
            .element("strong", [:], .text("No picture: ")), .text("\(reason); \(remedy)."))
    }

    private var list: Markup {
        .element(
            "dl", ["class": "preview-facts"],
            facts.map { name, value in
                .element(
                    "div", [:], .element("dt", [:], .text(name)), .element("dd", [:], .text(value)))
            })
    }
}

extension PreviewPage {
    /// Adds the pictures, ratio and figures of a manifest.
    ///
    /// A file that is missing from the container leaves the placeholder.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - container: The container that has its renditions.
    public mutating func add(_ manifest: Manifest, in container: SharedContainer) {
        let picture = { (role: RenditionRole) in
            manifest.rendition(role).flatMap { EmbeddedImage($0, in: container) }
        }
        let placeholder = EmbeddedImage(manifest.placeholder)
        drawing.banner = picture(.banner) ?? picture(.expanded) ?? placeholder
        drawing.expanded = picture(.attachment) ?? picture(.expanded) ?? placeholder
        drawing.ratio = manifest.contentSizeRatio
        let source = manifest.source
        facts = [
            (
                "Attachment",
                [source.format, source.coding, source.size == .zero ? "" : "\(source.size)"]
                    .filter { !$0.isEmpty }.joined(separator: ", ") + ", \(source.bytes)"
            )
        ]
        facts += manifest.renditions.map { rendition in
            let name = rendition.role.rawValue
            let size = rendition.size == .zero ? "" : "\(rendition.size), "
            return (name.prefix(1).uppercased() + name.dropFirst(), size + "\(rendition.bytes)")
        }
        facts.append(("Rung", manifest.rung + (manifest.engine.map { ", engine \($0)" } ?? "")))
        if let measured = manifest.measuredPeak, let predicted = manifest.predictedPeak {
            facts.append(("Peak", "\(measured) measured, \(predicted) predicted"))
        }
        facts += manifest.notes.map { ("Note", $0) }
    }
}

extension NotificationDrawing.Stage {
    fileprivate var caption: String {
        switch self {
        case .collapsed: "Banner"
        case .expanded: "Expanded"
        }
    }
}
