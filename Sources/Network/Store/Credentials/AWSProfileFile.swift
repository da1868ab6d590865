import AttachmentContainer
import Foundation

/// A file of profiles as the clients of AWS have it: sections in brackets, keys and values.
struct AWSProfileFile: Sendable {
    /// Limit on a file's length; real ones have some kilobytes.
    private static let ceiling = 1 << 20

    /// Keys in lowercase by the section's name, without the word `profile`.
    private var sections: [String: [String: String]] = [:]

    struct Failure: Error {
        /// Without the path, and without a full stop.
        let reason: String
    }

    /// Reads a file; nil if it is missing.
    init?(path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if [ENOENT, ENOTDIR].contains(errno) { return nil }
            throw Self.failure()
        }
        let file = OwnedDescriptor(descriptor)
        var bytes = Data(count: Self.ceiling + 1)
        var count = 0
        while count < bytes.count {
            let some = bytes[count...].withUnsafeMutableBytes {
                read(file.descriptor, $0.baseAddress, $0.count)
            }
            if some < 0, errno == EINTR { continue }
            guard some >= 0 else { throw Self.failure() }
            guard some > 0 else { break }
            count += some
        }
        guard count <= Self.ceiling else {
            throw Failure(reason: "a file of profiles is longer than 1 MiB")
        }
        self.init(text: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    private static func failure() -> Failure {
        Failure(reason: "a file of profiles cannot be read: \(String(cString: strerror(errno)))")
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
                let name = Self.name(of: line[line.index(after: line.startIndex)..<end])
                sections[name] = sections[name] ?? [:]
                section = name
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
