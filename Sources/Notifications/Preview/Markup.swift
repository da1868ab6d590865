/// HTML whose texts and attributes are escaped as it is built.
///
/// Texts come from payloads and from names of files. There is no way to add them unescaped.
public struct Markup: Sendable, Hashable {
    /// The HTML.
    public private(set) var html: String

    private init(html: String) { self.html = html }

    /// An empty fragment.
    public static let none = Markup(html: "")

    /// Elements that have no end tag (HTML standard, 13.1.2).
    private static let voidElements: Set = ["img", "input", "link", "meta", "br", "rect", "circle"]

    /// A text; characters that HTML forbids become U+FFFD.
    public static func text(_ text: String) -> Markup { Markup(html: escaped(text)) }

    /// An element; attributes without a value are left out, and empty ones have none in HTML either.
    ///
    /// - Parameters:
    ///   - name: The name in lower case, a constant.
    ///   - attributes: Names, which are constants, and values.
    ///   - children: The content.
    /// - Returns: The element.
    public static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
        _ children: Markup...
    ) -> Markup {
        element(name, attributes, children)
    }

    /// Same, with a list of children.
    public static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
        _ children: [Markup]
    ) -> Markup {
        var html = "<\(name)"
        for case (let key, let value?) in attributes {
            html += value.isEmpty ? " \(key)" : " \(key)=\"\(escaped(value))\""
        }
        html += ">"
        guard !voidElements.contains("\(name)") else { return Markup(html: html) }
        return Markup(html: html + children.map(\.html).joined() + "</\(name)>")
    }

    /// A fragment of several elements.
    public static func group(_ children: [Markup]) -> Markup {
        Markup(html: children.map(\.html).joined())
    }

    /// A style sheet of this package, in an element.
    package static func style(_ sheet: String) -> Markup {
        Markup(html: "<style>\n\(sheet)</style>")
    }

    /// A script of this package, in an element; texts of strangers are no part of it.
    package static func script(_ script: String) -> Markup {
        Markup(html: "<script>\n\(script)</script>")
    }

    /// A drawing of this package, with texts that are escaped already.
    package static func drawing(_ svg: String) -> Markup { Markup(html: svg) }

    /// A complete page without references to other files.
    ///
    /// Its policy forbids everything but the page's own styles, pictures in the page, and, for a page
    /// with scripts or pictures beside it, these.
    package static func document(
        title: String, sheets: [String], script: String? = nil, allowsFiles: Bool = false,
        body: Markup
    ) -> String {
        let pictures = allowsFiles ? "data: file: 'self'" : "data:"
        let policy =
            "default-src 'none'; style-src 'unsafe-inline'; img-src \(pictures)"
            + (script == nil ? "" : "; script-src 'unsafe-inline'") + "; base-uri 'none'"
        let head = element(
            "head", [:],
            element("meta", ["charset": "utf-8"]),
            element("title", [:], text(title)),
            element(
                "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            element("meta", ["name": "referrer", "content": "no-referrer"]),
            element("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
            group(sheets.map(style)))
        let page = element(
            "html", ["lang": "en"], head,
            element("body", [:], body, script.map(self.script) ?? .none))
        return "<!DOCTYPE html>\n" + page.html + "\n"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            default:
                // Controls and noncharacters are parse errors (HTML standard, 13.2.3.5).
                let isForbidden =
                    scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
                    || 0xFDD0...0xFDEF ~= scalar.value || scalar.value & 0xFFFE == 0xFFFE
                result.unicodeScalars.append(isForbidden ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }
}
