import Logging
import Synchronization

/// What a pool says of why its workers were lost.
final class LossLog: Sendable {
    private let causes = Mutex<[String]>([])

    /// The causes since the last call.
    func take() -> [String] {
        causes.withLock { causes in
            defer { causes = [] }
            return causes
        }
    }

    fileprivate func note(_ cause: String) { causes.withLock { $0.append(cause) } }
}

/// Writes causes down, and drops all else that is logged.
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
