public import ExtensionProfile
public import NotificationPayload

/// What a check looks at.
///
/// Everything may be missing, and narrows what is checked.
public struct CheckInput: Sendable, Hashable {
    /// The payloads.
    public var payloads: [Payloads] = []
    /// Where the payloads name their attachments.
    ///
    /// The default is automatic: by the keys of all SDKs that are known.
    public var payloadStyle: PayloadStyle = .auto
    /// The identifier of the notification, where the payload does not carry it.
    ///
    /// The default is nil: the payload says it.
    public var identifier: String?
    /// The categories that the app registers; nil when they are not known.
    public var registeredCategories: [String]?
    /// The path of the app's Info.plist.
    public var appInfoPlist: String?
    /// The path of the service extension's Info.plist.
    public var serviceInfoPlist: String?
    /// The paths of the content extensions' Info.plists.
    public var contentInfoPlists: [String] = []
    /// What the content extensions have to show a picture with.
    public var displayOptions = DisplayOptions()
    /// The path of the app's entitlements.
    public var appEntitlements: String?
    /// The path of the service extension's entitlements.
    public var serviceEntitlements: String?
    /// The paths of the content extensions' entitlements.
    public var contentEntitlements: [String] = []
    /// The path of the shared container.
    public var container: String?
    /// Whether the content extensions' views have controls, such as buttons and sliders.
    ///
    /// The default is false.
    public var hasControls = false
    /// How far a picture's ratio may be from the one that is declared, as a part of it.
    ///
    /// The default is 0.02: on the widest iPhone, with a view as high as wide, 9 points.
    public var ratioTolerance = 0.02

    /// Makes an input with nothing in it.
    public init() {}

    /// One JSON document, or one a line.
    public enum Payloads: Sendable, Hashable {
        /// A file of payloads; local attachments are looked for from its folder on.
        case file(String)
        /// Bytes, for example from standard input, what messages call them, and the folder that
        /// local attachments are looked for from.
        case bytes([UInt8], name: String, folder: String)
    }
}
