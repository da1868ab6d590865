struct SVG {
    enum Anchor: String { case start, middle, end }

    /// In pixels.
    let width, height: Double
    private var elements: [String] = []
    /// A drawing with figures has parts that can be focused.
    private var hasFigures = false

    init(width: Double, height: Double, title: String, background: String) {
        self.width = width
        self.height = height
        elements = [
            "<title>\(Self.escaped(title))</title>",
            "<rect width=\"\(width.digits(0))\" height=\"\(height.digits(0))\" "
                + "fill=\"\(background)\"/>",
        ]
    }

    var text: String {
        let size = "\(width.digits(0)) \(height.digits(0))"
        let fonts = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
        return
            ([
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" "
                    + "width=\"\(width.digits(0))\" height=\"\(height.digits(0))\" \(role)"
                    + "font-family=\"\(fonts)\">"
            ]
            + elements + ["</svg>", ""]).joined(separator: "\n")
    }

    /// A picture has no parts that can be focused (WAI-ARIA 1.2, children presentational).
    private var role: String { hasFigures ? "" : "role=\"img\" " }

    mutating func line(
        _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ colour: String,
        width: Double = 1, dashed: Bool = false
    ) {
        elements.append(
            "<line x1=\"\(from.x.digits(1))\" y1=\"\(from.y.digits(1))\" "
                + "x2=\"\(to.x.digits(1))\" y2=\"\(to.y.digits(1))\" stroke=\"\(colour)\" "
                + "stroke-width=\"\(width)\"\(dashed ? " stroke-dasharray=\"4 4\"" : "")/>")
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ colour: String, width: Double) {
        let list = points.map { "\($0.x.digits(1)),\($0.y.digits(1))" }.joined(separator: " ")
        elements.append(
            "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(colour)\" "
                + "stroke-width=\"\(width)\" stroke-linejoin=\"round\"/>")
    }

    /// Draws a disc, or a ring if `hollow` is set.
    ///
    /// `figure` is shown under the pointer of pages.
    mutating func dot(
        _ centre: (x: Double, y: Double), radius: Double, _ colour: String, hollow: String? = nil,
        figure: String? = nil
    ) {
        if let figure {
            hasFigures = true
            let title = "<title>\(Self.escaped(figure))</title>"
            elements.append("<g class=\"figure\" tabindex=\"0\" role=\"img\">\(title)")
        }
        defer { if figure != nil { elements.append("</g>") } }
        elements.append(
            "<circle cx=\"\(centre.x.digits(1))\" cy=\"\(centre.y.digits(1))\" "
                + "r=\"\(radius)\" fill=\"\(hollow ?? colour)\" stroke=\"\(colour)\" "
                + "stroke-width=\"2\"/>")
    }

    /// Draws text with its baseline at the point.
    mutating func text(
        _ text: String, _ point: (x: Double, y: Double), _ colour: String, size: Double = 13,
        anchor: Anchor = .start, bold: Bool = false, turned: Bool = false
    ) {
        let place = "x=\"\(point.x.digits(1))\" y=\"\(point.y.digits(1))\""
        let turn =
            turned ? " transform=\"rotate(-90 \(point.x.digits(1)) \(point.y.digits(1)))\"" : ""
        elements.append(
            "<text \(place) fill=\"\(colour)\" font-size=\"\(size.digits(0))\" "
                + "text-anchor=\"\(anchor.rawValue)\"\(bold ? " font-weight=\"700\"" : "")\(turn)>"
                + "\(Self.escaped(text))</text>")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
