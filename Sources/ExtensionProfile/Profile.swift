public import AttachmentContainer

/// What a notification content extension declares, and what it has to show a picture with.
///
/// The declarations are those of the extension's Info.plist under `NSExtension`. Width, scale,
/// render budget and fitting stand in no Info.plist: they come from ``DisplayOptions``.
public struct Profile: Sendable, Hashable {
    /// The path of the Info.plist, as the caller gave it.
    public var source: String
    /// The categories of notifications that the extension shows, at least one.
    public var categories: [String]
    /// Height divided by width of the extension's view before it is laid out; above zero.
    public var initialContentSizeRatio: Double
    /// Whether the system's own title and text are left out under the extension's view.
    ///
    /// The default is false.
    public var hidesDefaultContent: Bool
    /// Whether the title of the extension's view controller stands in place of the app's name.
    ///
    /// The default is false.
    public var overridesDefaultTitle: Bool
    /// Whether controls in the extension's view can be used, from iOS 12 on.
    ///
    /// The default is false: a tap opens the app.
    public var isUserInteractionEnabled: Bool
    /// What the extension extends: ``ExtensionPoint/content``.
    public var extensionPoint: ExtensionPoint
    /// The class that the system makes an object of; nil when there is a storyboard only.
    public var principalClass: String?
    /// The storyboard that the system loads; nil when there is a class only.
    public var mainStoryboard: String?
    /// The width of the extension's view, pixels a point, and what may be spent on the picture.
    public var display: Display
    /// How a picture of another ratio is made to suit the view.
    public var fitting: Fitting

    /// Makes a profile without a file, for example for an extension that is built elsewhere.
    ///
    /// - Parameters:
    ///   - source: What messages call it.
    ///   - categories: The categories that the extension shows.
    ///   - initialContentSizeRatio: Height divided by width of its view.
    ///   - options: What it has to show a picture with. The default is every default.
    /// - Throws: ``ProfileError`` when there is no category, one is empty or declared twice, the
    ///   ratio is not a finite number above zero, or an option is outside its range.
    public init(
        source: String, categories: [String], initialContentSizeRatio: Double,
        options: DisplayOptions = DisplayOptions()
    ) throws(ProfileError) {
        if let fault = DeclarationReader.fault(inCategories: categories, of: source)
            ?? DeclarationReader.fault(inRatio: initialContentSizeRatio, of: source)
        {
            throw fault
        }
        try options.validate()
        self.init(
            source: source, categories: categories,
            initialContentSizeRatio: initialContentSizeRatio, hidesDefaultContent: false,
            overridesDefaultTitle: false, isUserInteractionEnabled: false, principalClass: nil,
            mainStoryboard: nil, options: options)
    }

    init(
        source: String, categories: [String], initialContentSizeRatio: Double,
        hidesDefaultContent: Bool, overridesDefaultTitle: Bool, isUserInteractionEnabled: Bool,
        principalClass: String?, mainStoryboard: String?, options: DisplayOptions
    ) {
        self.source = source
        self.categories = categories
        self.initialContentSizeRatio = initialContentSizeRatio
        self.hidesDefaultContent = hidesDefaultContent
        self.overridesDefaultTitle = overridesDefaultTitle
        self.isUserInteractionEnabled = isUserInteractionEnabled
        extensionPoint = .content
        self.principalClass = principalClass
        self.mainStoryboard = mainStoryboard
        display = options.display
        fitting = options.fitting ?? .fit
    }

    /// How a picture whose ratio is not the view's is made to suit it.
    public enum Fitting: String, Sendable, Codable, CaseIterable {
        /// The whole picture is shown, and the view's height follows it.
        case fit
        /// The picture is cut to the initial content-size ratio, where attention falls.
        case crop
    }
}

/// What an app extension extends: the value of `NSExtensionPointIdentifier`.
public struct ExtensionPoint: Sendable, Hashable, RawRepresentable {
    /// The identifier.
    public let rawValue: String

    /// Makes an extension point from its identifier.
    ///
    /// - Parameter rawValue: The identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The interface of a notification (Apple, `UNNotificationContentExtension`).
    public static let content = ExtensionPoint(
        rawValue: "com.apple.usernotifications.content-extension")
    /// What changes a notification before it is delivered (Apple, `UNNotificationServiceExtension`).
    public static let service = ExtensionPoint(rawValue: "com.apple.usernotifications.service")
}
