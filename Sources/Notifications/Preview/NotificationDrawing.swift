/// A notification as a phone draws it, in one of its two stages.
///
/// `notification.css` has the sizes. Fonts and materials differ on a device.
public struct NotificationDrawing: Sendable {
    /// The stages of a notification.
    public enum Stage: String, Sendable, CaseIterable {
        /// The banner, with a thumbnail.
        case collapsed
        /// The full interface, after a press.
        case expanded
    }

    /// The appearances of the system.
    public enum Appearance: String, Sendable, CaseIterable {
        case light, dark
    }

    /// The texts.
    public var text: PreviewText
    /// The square thumbnail; nil for none.
    public var banner: EmbeddedImage?
    /// The picture of the full interface; nil for none.
    public var expanded: EmbeddedImage?
    /// Height divided by width of the picture; 0 if unknown.
    public var ratio = 0.0
    /// The width of the content extension's view, in points.
    public var width = 440.0

    /// Creates a drawing without pictures.
    public init(_ text: PreviewText) { self.text = text }

    /// Draws a stage, before a background of the appearance.
    ///
    /// - Parameters:
    ///   - stage: The stage.
    ///   - appearance: The appearance.
    /// - Returns: One element.
    public func screen(_ stage: Stage, _ appearance: Appearance) -> Markup {
        .element(
            "div", ["class": "screen", "data-appearance": appearance.rawValue],
            .element("p", ["class": "screen-clock", "aria-hidden": "true"], .text("9:41")),
            stage == .collapsed ? collapsed : full)
    }

    private var collapsed: Markup {
        .element(
            "article", attributes(of: .collapsed),
            icon, block(hasTime: true),
            banner.map {
                .element(
                    "img",
                    ["class": "notification-thumbnail", "src": $0.url, "alt": "The banner"])
            } ?? .none)
    }

    private var full: Markup {
        .element(
            "article", attributes(of: .expanded),
            .element(
                "div", ["class": "notification-head"],
                icon,
                .element("span", ["class": "notification-app"], .text(text.app)), time),
            expanded.map {
                .element(
                    "div", ["class": "notification-picture"],
                    .element("img", ["src": $0.url, "alt": "The expanded picture"]))
            } ?? .none,
            block(hasTime: false))
    }

    private func attributes(of stage: Stage) -> KeyValuePairs<StaticString, String?> {
        // Ratios out of this range would hide the text.
        let ratio = min(max(ratio > 0 ? ratio : 0.5625, 0.05), 4)
        return [
            "class": "notification", "data-stage": stage.rawValue,
            "style": "--points:\(width);--ratio:\(ratio)",
        ]
    }

    private var icon: Markup {
        .element(
            "span", ["class": "app-icon", "aria-hidden": "true"],
            .text(String(text.app.prefix(1)).uppercased()))
    }

    private var time: Markup { .element("span", ["class": "notification-time"], .text("now")) }

    private func block(hasTime: Bool) -> Markup {
        .element(
            "div", ["class": "notification-text"],
            .element(
                "div", ["class": "notification-line"],
                .element("p", ["class": "notification-title"], .text(text.title ?? text.app)),
                hasTime ? time : .none),
            paragraph("notification-subtitle", text.subtitle),
            paragraph("notification-body", text.body))
    }

    private func paragraph(_ name: String, _ text: String?) -> Markup {
        text.map { .element("p", ["class": name], .text($0)) } ?? .none
    }
}
