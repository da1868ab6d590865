/// The keys of an extension's Info.plist (Apple, `UNNotificationContentExtension`, table 1).
package enum DeclarationKey: String, Sendable, CaseIterable {
    case attributes = "NSExtensionAttributes"
    case pointIdentifier = "NSExtensionPointIdentifier"
    case principalClass = "NSExtensionPrincipalClass"
    case mainStoryboard = "NSExtensionMainStoryboard"
    case category = "UNNotificationExtensionCategory"
    case initialContentSizeRatio = "UNNotificationExtensionInitialContentSizeRatio"
    case defaultContentHidden = "UNNotificationExtensionDefaultContentHidden"
    case overridesDefaultTitle = "UNNotificationExtensionOverridesDefaultTitle"
    case userInteractionEnabled = "UNNotificationExtensionUserInteractionEnabled"

    /// The keys that it nests in, and itself.
    package var keys: [String] {
        switch self {
        case .attributes, .pointIdentifier, .principalClass, .mainStoryboard:
            ["NSExtension", rawValue]
        default: ["NSExtension", "NSExtensionAttributes", rawValue]
        }
    }

    /// The keys with full stops between them.
    package var path: String { keys.joined(separator: ".") }
}
