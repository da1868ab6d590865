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

    /// The key path from the root.
    package var keys: [String] {
        switch self {
        case .attributes, .pointIdentifier, .principalClass, .mainStoryboard:
            ["NSExtension", rawValue]
        default: ["NSExtension", "NSExtensionAttributes", rawValue]
        }
    }

    /// The key path, separated by full stops.
    package var path: String { keys.joined(separator: ".") }
}
