import Foundation

/// A file of profiles as the clients of AWS have it: sections in brackets, keys and values.
struct AWSProfileFile: Sendable {
    /// Limit on a file's length; real ones have some kilobytes.
    private static let ceiling = 1 << 20

    /// Keys in lowercase by the section's name, without the word `profile`.
    private var sections: [String: [String: String]] = [:]

    /// Reads a file; nil if it is missing, cannot be read, or is too long.
    init?(path: String) {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)),
            bytes.count <= Self.ceiling
        else { return nil }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses the text; lines of any other form are skipped, as those clients do.
    init(text: String) {
        var section: String?
        for line in text.split(whereSeparator: \.isNewline) {
            // An indented line continues a nested value, which no key here has.
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else {
                continue
            }
            if first == "[" {
                guard let end = line.firstIndex(of: "]") else { continue }
                section = Self.name(of: line[line.index(after: line.startIndex)..<end])
                continue
            }
            guard let section, let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].trimmed.lowercased()
            var value = Substring(line[line.index(after: equals)...].trimmed)
            // A comment after a value needs white space in front of it.
            if let comment = value.firstRange(of: /\s[#;]/) { value = value[..<comment.lowerBound] }
            sections[section, default: [:]][key] = value.trimmed
        }
    }

    /// The values of a profile; nil if the file does not have it.
    subscript(profile: String) -> [String: String]? { sections[profile] }

    private static func name(of section: Substring) -> String {
        let words = section.split(separator: " ", maxSplits: 1)
        let isProfile = words.count == 2 && words[0] == "profile"
        return (isProfile ? words[1] : section).trimmed
    }
}

extension Substring {
    /// Without white space at both ends.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
