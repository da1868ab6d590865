extension CheckReport {
    /// Something that keeps a notification from being shown as it is meant.
    public struct Finding: Sendable, Hashable, Codable {
        /// What kind of finding it is.
        public let code: Code
        /// How much it matters.
        public let severity: Severity
        /// What was found, in a sentence without its full stop.
        public let message: String
        /// Where it was found: the first places of all that have it.
        public private(set) var places: [Place]
        /// How many places have it.
        public private(set) var count: Int
        /// Why it matters, in a sentence without its full stop.
        public let consequence: String
        /// Where that is documented.
        public let source: String
        /// How to mend it, in a sentence without its full stop.
        public let remedy: String

        init(
            _ code: Code, _ message: String, at place: Place, severity: Severity? = nil,
            remedy: String? = nil
        ) {
            self.code = code
            self.severity = severity ?? code.severity
            self.message = message
            places = [place]
            count = 1
            consequence = code.consequence
            source = code.source
            self.remedy = remedy ?? code.remedy
        }

        /// What is the same in findings that differ only in their place.
        struct Statement: Hashable {
            let code: Code
            let message: String
        }

        var statement: Statement { Statement(code: code, message: message) }

        /// Takes another finding's place, as one of the first ten.
        mutating func add(_ other: Finding) {
            count += other.count
            if places.count < 10 { places += other.places }
        }
    }

    /// Where something stands.
    public struct Place: Sendable, Hashable, Codable {
        /// The path of the file or folder, as it was given.
        public let file: String
        /// The line in a file of many payloads, counted from 1; nil in other files.
        public let line: Int?
        /// The keys that lead to it, with full stops between them; nil when it is the whole file.
        public let key: String?

        init(_ file: String, line: Int? = nil, key: String? = nil) {
            self.file = file
            self.line = line
            self.key = key
        }
    }

    /// Something that was not looked at.
    public struct Unchecked: Sendable, Hashable, Codable {
        /// What was not checked, as it follows the words “not checked”.
        public let what: String
        /// What to add to the command line.
        public let flag: CheckFlag
    }
}

extension CheckReport.Place: CustomStringConvertible {
    /// File, line and key, in one line.
    public var description: String {
        file + (line.map { ":\($0)" } ?? "") + (key.map { ": \($0)" } ?? "")
    }
}
