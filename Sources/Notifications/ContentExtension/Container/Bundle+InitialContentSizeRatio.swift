#if canImport(UserNotificationsUI) && canImport(UIKit)
    import Foundation

    extension Bundle {
        /// The height-to-width ratio in the content extension's Info.plist; nil unless above zero.
        var initialContentSizeRatio: Double? {
            let declaration = object(forInfoDictionaryKey: "NSExtension") as? [String: Any]
            let attributes = declaration?["NSExtensionAttributes"] as? [String: Any]
            let ratio = attributes?["UNNotificationExtensionInitialContentSizeRatio"] as? Double
            return ratio.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        }
    }
#endif
