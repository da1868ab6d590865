import Foundation
package import Logging

/// Logs one JSON object per line.
///
/// Callers log no identifier, text, path or query of a request.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let sink: LogSink

    package init(level: Logger.Level, sink: LogSink = .standardError) {
        logLevel = level
        self.sink = sink
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = #"{"time":""# + Self.time(Date())
        line += #"","level":""# + event.level.rawValue + #"","message":"#
        Self.append(event.message.description, to: &line)
        var all = metadata
        for (key, value) in event.metadata ?? [:] { all[key] = value }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            line += ","
            Self.append(key.replacing("hb.request.id", with: "connectionRequest"), to: &line)
            line += ":"
            Self.append(value, to: &line)
        }
        sink.write(line + "}")
    }

    private static func time(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func append(_ value: Logger.Metadata.Value, to line: inout String) {
        switch value {
        case .stringConvertible(let value as Int): line += "\(value)"
        case .stringConvertible(let value as Double): line += "\(value)"
        case .stringConvertible(let value): append("\(value)", to: &line)
        case .string(let text): append(text, to: &line)
        case .array, .dictionary: append("\(value)", to: &line)
        }
    }

    /// Appends a JSON string (RFC 8259, section 7).
    private static func append(_ text: String, to line: inout String) {
        line += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F {
                    let digits = String(scalar.value, radix: 16)
                    line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    line.unicodeScalars.append(scalar)
                }
            }
        }
        line += "\""
    }
}
