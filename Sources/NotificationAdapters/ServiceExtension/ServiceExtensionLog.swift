#if canImport(UserNotifications)
    import Foundation
    import NotificationDelivery
    import NotificationPayload
    import os

    /// Entries in the unified log: reasons only, without private data.
    enum ServiceExtensionLog {
        private static let logger = Logger(
            subsystem: Bundle.main.bundleIdentifier ?? "thimble", category: "delivery")

        static func write(_ answer: DeliveryAnswer) {
            let reasons = answer.reasons.map { "\($0.code.rawValue): \($0)" }
                .joined(separator: "; ")
            logger.notice(
                "\(answer.outcome.kind.rawValue, privacy: .public) \(reasons, privacy: .public)")
        }

        static func write(_ error: any Error) {
            logger.error("\(String(describing: error), privacy: .public)")
        }
    }
#endif
