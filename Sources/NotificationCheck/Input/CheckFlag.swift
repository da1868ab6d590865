/// The command-line flags that provide a check's input.
///
/// The raw values are the flags, so that a report can name a missing one.
public enum CheckFlag: String, Sendable, Codable, CaseIterable {
    /// A file of payloads.
    case payload = "--payload"
    /// The style of attachment keys in payloads.
    case payloadStyle = "--payload-style"
    /// The notification's identifier.
    case identifier = "--id"
    /// A category that the app registers.
    case registeredCategory = "--registered-category"
    /// The app's Info.plist.
    case appInfo = "--app-info"
    /// The service extension's Info.plist.
    case serviceInfo = "--service-info"
    /// A content extension's Info.plist.
    case profile = "--profile"
    /// The app's entitlements.
    case appEntitlements = "--app-entitlements"
    /// The service extension's entitlements.
    case serviceEntitlements = "--service-entitlements"
    /// A content extension's entitlements.
    case contentEntitlements = "--content-entitlements"
    /// The shared container.
    case container = "--container"
    /// Present if the content extension's view has controls.
    case controls = "--controls"
}
