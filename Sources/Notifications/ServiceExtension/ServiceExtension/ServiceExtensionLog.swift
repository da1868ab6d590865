#if canImport(UserNotifications)
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

        static func write(_ error: any Error) {
            logger.error("\(String(describing: error), privacy: .public)")
        }
    }
#endif
