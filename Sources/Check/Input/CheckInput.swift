public import NotificationPayload

/// The input of a check.
///
/// All parts are optional. A missing part narrows the check.
public struct CheckInput: Sendable, Hashable {
    /// The payloads.
    public var payloads: [Payloads] = []
    /// The style of attachment keys in the payloads.
    ///
    /// The default recognises the keys of all known SDKs.
    public var payloadStyle: PayloadStyle = .auto
    /// The notification's identifier, for payloads without one.
    ///
    /// The default is nil: the payload's own.
    public var identifier: String?
    /// The path of a built app: an .app, an .xcarchive or an .ipa.
    ///
    /// Its Info.plists, entitlements and categories are checked beside the other parts.
    public var app: String?
    /// The categories that the app registers; nil if unknown.
    ///
    /// If nil, the categories in ``sources`` count; without sources, the literals in the programs
    /// of ``app``.
    public var registeredCategories: [String]?
    /// The paths of folders with the sources of app and extensions, in Swift, Objective-C and JavaScript.
    ///
    /// Their categories are those that the app registers; their App Groups are compared with the
    /// entitlements.
    public var sources: [String] = []
    /// The path of the app's Info.plist.
    public var appInfoPlist: String?
    /// The path of the service extension's Info.plist.
    public var serviceInfoPlist: String?
    /// The paths of the content extensions' Info.plists.
    public var contentInfoPlists: [String] = []
    /// Display settings of the content extensions.
    public var displayOptions = DisplayOptions()
    /// The path of the app's entitlements.
    public var appEntitlements: String?
    /// The path of the service extension's entitlements.
    public var serviceEntitlements: String?
    /// The paths of the content extensions' entitlements.
    public var contentEntitlements: [String] = []
    /// The path of the shared container.
    public var container: String?
    /// True if the content extensions' views have controls, such as buttons and sliders.
    ///
    /// The default is false.
    public var hasControls = false
    /// The permitted deviation of a picture's ratio from the declared one, as a fraction.
    ///
    /// The default is 0.02: 9 points on the widest iPhone with a square view.
    public var ratioTolerance = 0.02

    /// Creates an empty input.
    public init() {}

    /// One JSON document, or one per line.
    public enum Payloads: Sendable, Hashable {
        /// A file of payloads; local attachments are relative to its folder.
        case file(String)
        /// Bytes, for example from standard input, their name in messages, and the folder of local
        /// attachments.
        case bytes([UInt8], name: String, folder: String)
    }

    /// The parts of an input, by name.
    ///
    /// The raw values appear in JSON reports and are stable across releases.
    public enum Part: String, Sendable, Codable, CaseIterable {
        /// The payloads.
        case payload
        /// The notification's identifier.
        case identifier
        /// The categories that the app registers.
        case registeredCategory = "registered-category"
        /// The sources of app and extensions.
        case sources
        /// The app's Info.plist.
        case appInfo = "app-info"
        /// The service extension's Info.plist.
        case serviceInfo = "service-info"
        /// The content extensions' Info.plists.
        case profile
        /// The app's entitlements.
        case appEntitlements = "app-entitlements"
        /// The service extension's entitlements.
        case serviceEntitlements = "service-entitlements"
        /// The content extensions' entitlements.
        case contentEntitlements = "content-entitlements"
        /// The shared container.
        case container
        /// The controls in the content extensions' views.
        case controls
    }
}
