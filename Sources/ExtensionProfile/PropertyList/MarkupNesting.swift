/// How deep the elements of an XML property list nest, known before a parser meets them.
///
/// Foundation's parser calls itself for every level: 1,000 levels overrun the stack of a thread of
/// 512 KiB (measured).
enum MarkupNesting {
    /// Whether no collection lies in more than so many others.
    ///
    /// Comments, processing instructions and character data are passed over as a parser does, so
    /// that no closing tag in them hides an opening one.
    ///
    /// - Parameters:
    ///   - text: The document, in UTF-8.
    ///   - limit: The most levels.
    /// - Returns: False as soon as there are more.
    static func isBounded(_ text: Substring.UTF8View, by limit: Int) -> Bool {
        var rest = text[...]
        var depth = 0
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...].dropFirst()
            if let end = opaque.first(where: { rest.starts(with: $0.start.utf8) })?.end {
                rest = rest.after(end)
            } else if rest.starts(with: "/".utf8) {
                // One that closes nothing makes no room for another level.
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

    /// The document without its XML declaration, whose encoding must not make other characters of
    /// bytes that were looked at as UTF-8.
    ///
    /// - Parameter text: The document, without a byte order mark.
    /// - Returns: What follows the declaration.
    static func withoutDeclaration(_ text: Substring) -> Substring {
        guard text.hasPrefix("<?xml") else { return text }
        return Substring(text.utf8[...].after("?>"))
    }

    /// What is no element: where it begins, after the angle bracket, and what ends it.
    private static let opaque: [(start: String, end: String)] = [
        ("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">"),
    ]
}

extension Substring.UTF8View.SubSequence {
    /// Whether a tag, without its angle brackets, closes the element that it opens.
    ///
    /// One with attributes, which no property list has, is taken for one that does not: its end may
    /// be in quotes.
    fileprivate var isSelfClosing: Bool {
        last == UInt8(ascii: "/") && !contains(UInt8(ascii: "\""))
            && !contains(UInt8(ascii: "'"))
    }

    /// What follows the first occurrence of a text; nothing when it does not occur.
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
