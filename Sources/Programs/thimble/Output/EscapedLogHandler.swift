import Logging

/// Logs to standard error and escapes untrusted text.
struct EscapedLogHandler: LogHandler {
    private var handler: StreamLogHandler

    init(label: String, level: Logger.Level) {
        handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = level
    }

    var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue.mapValues(Self.escaped) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map(Self.escaped) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.escaped())"
        event.metadata = event.metadata?.mapValues(Self.escaped)
        handler.log(event: event)
    }

    private static func escaped(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(text.escaped())
        case .stringConvertible(let value): .string("\(value)".escaped())
        case .array(let values): .array(values.map(escaped))
        case .dictionary(let values): .dictionary(values.mapValues(escaped))
        }
    }
}
