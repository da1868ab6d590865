#if canImport(UserNotifications)
    import AttachmentContainer
    import AttachmentModel
    import Foundation
    import NotificationDelivery
    import NotificationPayload
    import os

    /// Entries in the unified log: reasons only, without private data.
    enum ServiceExtensionLog {
        private static let logger = Logger(
            subsystem: Bundle.main.bundleIdentifier ?? "thimble", category: "delivery")

        static func write(_ answer: DeliveryAnswer) {
            var parts = [answer.outcome.kind.rawValue]
            if case .renditions(let processed) = answer.outcome {
                parts.append("peak footprint \(processed.memory.measuredPeak)")
            }
            parts += answer.reasons.map { "\($0.code.rawValue): \($0)" }
            let text = parts.joined(separator: "; ")
            logger.notice("\(text, privacy: .public)")
        }

        /// Errors of the product are public; the text of any other, such as an app's or a URL error, may
        /// contain a message, a token or a URL.
        static func write(_ error: any Error) {
            guard error is any FaultConvertible else {
                let code = error as NSError
                let kind = "\(code.domain) \(code.code)"
                return logger.error(
                    "\(kind, privacy: .public): \(String(describing: error), privacy: .private)")
            }
            logger.error("\(String(describing: error), privacy: .public)")
        }
    }
#endif
