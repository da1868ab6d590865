/// One self-contained page with both stages of a notification, and the figures behind them.
public struct PreviewPage: Sendable {
    /// The drawn notification.
    public var drawing: NotificationDrawing
    /// The appearances, one row each; by default light and dark.
    public var appearances = NotificationDrawing.Appearance.allCases
    /// Facts below the drawings, as pairs of name and value.
    public var facts: [(name: String, value: String)] = []
    /// Renditions for other surfaces than the notification, shown below the drawings.
    public var renditions: [PreviewRendition] = []
    /// Findings of a check, shown above the drawings.
    public var findings: [PreviewFinding] = []
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
                findings.isEmpty ? .none : faults,
                .group(appearances.map(row)),
                problem.map(warning) ?? .none,
                renditions.isEmpty ? .none : surfaces,
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

    private var faults: Markup {
        .element(
            "section", ["class": "preview-problem", "aria-labelledby": "findings-title"],
            .element(
                "h2", ["id": "findings-title"],
                .text(
                    findings.contains(where: \.isError)
                        ? "The system will not show this as drawn" : "Check of the payload")),
            .element("ul", [:], findings.map(\.markup)))
    }

    private var surfaces: Markup {
        .element(
            "section", ["class": "preview-renditions", "aria-labelledby": "renditions-title"],
            .element("h2", ["id": "renditions-title"], .text("Renditions for other surfaces")),
            .element("ul", [:], renditions.map(\.markup)))
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

extension NotificationDrawing.Stage {
    fileprivate var caption: String {
        switch self {
        case .collapsed: "Banner"
        case .expanded: "Expanded"
        }
    }
}
