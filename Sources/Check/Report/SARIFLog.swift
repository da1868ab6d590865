/// A report in the Static Analysis Results Interchange Format (OASIS, SARIF 2.1.0).
///
/// Each kind of finding is a rule, and each location of a finding a result. Parts not checked are
/// notifications of the run. It has no fix objects, since remedies are sentences.
public struct SARIFLog: Sendable, Hashable, Encodable {
    private let runs: [Run]

    /// Creates a log of one run.
    ///
    /// - Parameters:
    ///   - report: The report of the run.
    ///   - version: The version of the program.
    ///   - name: Names a missing part of the input. The default is its raw value.
    public init(
        _ report: CheckReport, version: String,
        naming name: (CheckInput.Part) -> String = \.rawValue
    ) {
        let codes = CheckReport.Code.allCases
        let indices = codes.enumerated().reduce(into: [CheckReport.Code: Int]()) { $0[$1.1] = $1.0 }
        let driver = Driver(
            name: "thimble check", version: version, rules: codes.map { Rule($0) })
        let results = report.findings.flatMap { finding in
            finding.places.map { Result(finding, at: $0, index: indices[finding.code] ?? -1) }
        }
        let notes = report.unchecked.map {
            Notification(message: Message(text: "Not checked: \($0.what) (\(name($0.part)))."))
        }
        let run = Run(
            tool: Tool(driver: driver),
            invocations: [
                Invocation(exitCode: report.exitCode, toolExecutionNotifications: notes)
            ],
            results: results)
        runs = [run]
    }

    /// Encodes the log.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        // The identifier of the schema in the standard's errata 01, which validators know.
        try container.encode(
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                + "sarif-schema-2.1.0.json", forKey: .schema)
        try container.encode("2.1.0", forKey: .version)
        try container.encode(runs, forKey: .runs)
    }

    private enum Key: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    private struct Run: Hashable, Encodable {
        let tool: Tool
        let invocations: [Invocation]
        let results: [Result]
        var columnKind = "utf16CodeUnits"
    }

    private struct Tool: Hashable, Encodable {
        let driver: Driver
    }

    private struct Driver: Hashable, Encodable {
        let name: String
        let version: String
        let rules: [Rule]
    }

    private struct Invocation: Hashable, Encodable {
        let exitCode: Int32
        /// True although there are findings: the check itself ran to its end.
        var executionSuccessful = true
        let toolExecutionNotifications: [Notification]
    }

    private struct Notification: Hashable, Encodable {
        let message: Message
        var level = "note"
    }

    fileprivate struct Message: Hashable, Encodable {
        let text: String
    }

    private struct Rule: Hashable, Encodable {
        let id: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Message
        let defaultConfiguration: Configuration

        init(_ code: CheckReport.Code) {
            id = code.rawValue
            let words = code.rawValue.split(separator: "-").joined(separator: " ")
            shortDescription = Message(text: "\(words.sentence).")
            fullDescription = Message(
                text: "\(code.consequence.sentence). Source: \(code.source).")
            help = Message(text: "\(code.remedy.sentence).")
            defaultConfiguration = Configuration(level: code.severity.rawValue)
        }
    }

    private struct Configuration: Hashable, Encodable {
        let level: String
    }

    private struct Result: Hashable, Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]

        init(_ finding: CheckReport.Finding, at place: CheckReport.Place, index: Int) {
            ruleId = finding.code.rawValue
            ruleIndex = index
            // SARIF's levels have the severities' names.
            level = finding.severity.rawValue
            let more = finding.count - finding.places.count
            message = Message(
                text: "\(finding.message.sentence). \(finding.consequence.sentence). Remedy: "
                    + "\(finding.remedy)." + (more > 0 ? " \(more) more locations." : ""))
            locations = [Location(place)]
        }
    }
}

extension SARIFLog {
    fileprivate struct Location: Hashable, Encodable {
        let physicalLocation: PhysicalLocation
        /// The key path in a property list or payload; omitted for a whole file.
        let logicalLocations: [LogicalLocation]?

        init(_ place: CheckReport.Place) {
            physicalLocation = PhysicalLocation(
                artifactLocation: ArtifactLocation(uri: place.file.uriReference),
                region: place.line.map { Region(startLine: $0) })
            logicalLocations = place.key.map { [LogicalLocation(fullyQualifiedName: $0)] }
        }
    }

    fileprivate struct PhysicalLocation: Hashable, Encodable {
        let artifactLocation: ArtifactLocation
        let region: Region?
    }

    fileprivate struct ArtifactLocation: Hashable, Encodable {
        let uri: String
    }

    fileprivate struct Region: Hashable, Encodable {
        let startLine: Int
    }

    fileprivate struct LogicalLocation: Hashable, Encodable {
        let fullyQualifiedName: String
    }
}

extension String {
    /// The text with a capital first letter.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() }

    /// The path as a URI reference (RFC 3986): `file:` for an absolute path, else relative.
    fileprivate var uriReference: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = utf8.reduce(into: [UInt8]()) { bytes, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        let text = String(decoding: encoded, as: UTF8.self)
        return hasPrefix("/") ? "file://\(text)" : text
    }
}
