import AttachmentContainer
import Foundation
import Testing

/// A tutorial of the documentation, with its listings in order.
struct Tutorial: Sendable, CustomTestStringConvertible {
    enum Listing: Sendable {
        /// Commands, and lines of their output if those are shown.
        case commands(String, output: [String])
        /// A file that the commands use.
        case file(name: String, contents: String)
        case swift(String)
    }

    let name: String
    let listings: [Listing]

    var testDescription: String { name }

    static let folder = Command.package.appending(path: "Examples/Documentation/Thimble.docc")

    /// Pages without commands.
    private static let guides: Set = [
        "Failures.md", "Limits.md", "LinearLight.md", "Options.md", "PrivatePictures.md",
        "Stability.md",
        "TraitsAndLicences.md",
    ]

    /// File names of all pages but the first.
    static func pages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".md") && $0 != "Thimble.md" }
    }

    /// All pages but the first, the guides, and those whose commands `make first-minutes` runs.
    static func all() throws -> [Tutorial] {
        try pages().filter { !guides.contains($0) && !$0.hasPrefix("TenMinutes") }
            .map(Tutorial.init)
    }

    private init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        var listings: [Listing] = []
        // Between fences, prose and listings alternate.
        let parts = ("\n" + text).components(separatedBy: "\n```")
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            let (language, contents) = Self.split(parts[index + 1])
            switch language {
            case "swift": listings.append(.swift(contents))
            case "sh": listings.append(.commands(contents, output: []))
            case "text":
                guard case .commands(let commands, _)? = listings.popLast() else {
                    throw Fault(description: "\(name): output without commands")
                }
                listings.append(.commands(commands, output: Self.lines(contents)))
            default:
                // The paragraph ends with the name of the file.
                let spans = parts[index].components(separatedBy: "`")
                guard spans.count > 2, parts[index].hasSuffix("`:\n") else {
                    throw Fault(description: "\(name): a listing without the name of its file")
                }
                listings.append(.file(name: spans[spans.count - 2], contents: contents))
            }
        }
        self.listings = listings
    }

    /// A listing in Swift without its head, which names products and imports modules; nil without one.
    ///
    /// `make library-test` compiles each listing alone, with these products only.
    static func code(of listing: String) -> String? {
        guard listing.hasPrefix("// Products: "), let end = listing.range(of: "\n\n") else {
            return nil
        }
        return String(listing[end.upperBound...])
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private static func split(_ listing: String) -> (language: String, contents: String) {
        let end = listing.firstIndex(of: "\n") ?? listing.endIndex
        return (String(listing[..<end]), String(listing[end...].dropFirst()) + "\n")
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }
}

extension Tutorial {
    /// The first shown line that is not in the output; nil if all are, in any order.
    ///
    /// Numbers and digests may differ, and … stands for anything at the end of a line.
    static func missing(_ shown: [String], in output: String) -> String? {
        let lines = lines(output).map(comparable)
        return shown.first { line in
            guard line != "…" else { return false }
            guard line.hasSuffix("…") else { return !lines.contains(comparable(line)) }
            return !lines.contains { $0.hasPrefix(comparable(String(line.dropLast()))) }
        }
    }

    /// Numbers and units vary with the versions of libraries, and trailing spaces do not show.
    private static func comparable(_ line: String) -> String {
        line.replacing(/[0-9a-f]{16,}/, with: "#")
            .replacing(/[0-9]+(\.[0-9]+)?( ?[kM]?B\b)?/, with: "0")
            .replacing(/\s+$/, with: "")
    }
}
