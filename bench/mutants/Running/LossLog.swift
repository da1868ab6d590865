import AttachmentContainer
import Logging

/// Collects the causes of lost workers from a pool's log.
final class LossLog: Sendable {
    private let causes = Lock<[String]>([])

    func take() -> [String] {
        causes.withLock { causes in
            defer { causes = [] }
            return causes
        }
    }

    fileprivate func note(_ cause: String) { causes.withLock { $0.append(cause) } }
}

/// Records causes and discards other log messages.
struct LossHandler: LogHandler {
    let log: LossLog
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    init(_ log: LossLog) { self.log = log }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if let cause = event.metadata?["cause"] { log.note("\(cause)") }
    }
}
