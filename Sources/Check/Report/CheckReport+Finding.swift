extension CheckReport {
    /// A fault that affects how a notification is shown.
    public struct Finding: Sendable, Hashable, Codable {
        /// The kind of finding.
        public let code: Code
        /// The severity.
        public let severity: Severity
        /// The message, without a full stop.
        public let message: String
        /// The first locations with this finding, at most ten.
        public private(set) var places: [Place]
        /// Number of locations with this finding.
        public private(set) var count: Int
        /// The consequence, without a full stop.
        public let consequence: String
        /// The source for the consequence.
        public let source: String
        /// The action to take, without a full stop.
        public package(set) var remedy: String

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

        struct MergeKey: Hashable {
            let code: Code
            let message: String
        }

        var mergeKey: MergeKey { MergeKey(code: code, message: message) }

        mutating func add(_ other: Finding) {
            count += other.count
            if places.count < 10 { places += other.places }
        }
    }

    /// The location of a finding.
    public struct Place: Sendable, Hashable, Codable {
        /// The path of the file or folder, as given.
        public let file: String
        /// The line in a file of several payloads, counted from 1; nil in other files.
        public let line: Int?
        /// The key path, separated by full stops; nil for the whole file.
        public let key: String?

        init(_ file: String, line: Int? = nil, key: String? = nil) {
            self.file = file
            self.line = line
            self.key = key
        }
    }

    /// A part that was not checked.
    public struct Unchecked: Sendable, Hashable, Codable {
        /// The part, as a phrase after the words “not checked”.
        public let what: String
        /// The missing part of the input.
        public let part: CheckInput.Part
    }
}

extension CheckReport.Place: CustomStringConvertible {
    /// File, line and key, in one line.
    public var description: String {
        file + (line.map { ":\($0)" } ?? "") + (key.map { ": \($0)" } ?? "")
    }
}
