/// A check of XML nesting before parsing.
///
/// Foundation's parser is recursive: 1,000 levels overrun a thread stack of 512 KiB (measured).
enum MarkupNesting {
    /// Returns true if elements nest no deeper than the limit.
    ///
    /// Like a parser, it skips comments, processing instructions and character data, so that a closing
    /// tag in them does not hide an opening one.
    static func isBounded(_ text: Substring.UTF8View, by limit: Int) -> Bool {
        var rest = text[...]
        var depth = 0
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...].dropFirst()
            if let end = opaque.first(where: { rest.starts(with: $0.start.utf8) })?.end {
                rest = rest.after(end)
            } else if rest.starts(with: "/".utf8) {
                // An unmatched closing tag must not allow another level.
                depth = max(0, depth - 1)
            } else {
                depth += 1
                guard depth <= limit else { return false }
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return true }
                if rest[..<end].isSelfClosing { depth -= 1 }
                rest = rest[end...]
            }
        }
        return true
    }

    /// Removes the XML declaration, whose encoding could reinterpret bytes that were checked as UTF-8.
    static func withoutDeclaration(_ text: Substring) -> Substring {
        guard text.hasPrefix("<?xml") else { return text }
        return Substring(text.utf8[...].after("?>"))
    }

    /// The start, after the angle bracket, and end of markup other than elements.
    private static let opaque: [(start: String, end: String)] = [
        ("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">"),
    ]
}

extension Substring.UTF8View.SubSequence {
    /// True if a tag, without its angle brackets, closes itself.
    ///
    /// A tag with attributes counts as open, since its end may be in quotes; property lists have none.
    fileprivate var isSelfClosing: Bool {
        last == UInt8(ascii: "/") && !contains(UInt8(ascii: "\"")) && !contains(UInt8(ascii: "'"))
    }

    /// The part after the first occurrence of a string; empty without one.
    fileprivate func after(_ text: String) -> Substring.UTF8View.SubSequence {
        let wanted = text.utf8
        guard let first = wanted.first else { return self }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: wanted) { return rest.dropFirst(wanted.count) }
            rest = rest.dropFirst()
        }
        return rest[rest.endIndex...]
    }
}
