public import AttachmentContainer

/// The declarations and display settings of a notification content extension.
///
/// The declarations are from the extension's Info.plist, under `NSExtension`. Width, scale, render
/// budget and fitting are from ``DisplayOptions``.
public struct Profile: Sendable, Hashable {
    /// The path of the Info.plist, as given.
    public var source: String
    /// The categories that the extension shows, at least one.
    public var categories: [String]
    /// Height divided by width of the extension's view before layout; above zero.
    public var initialContentSizeRatio: Double
    /// True if the system hides its own title and text below the extension's view.
    ///
    /// The default is false.
    public var hidesDefaultContent = false
    /// True if the title of the extension's view controller replaces the app's name.
    ///
    /// The default is false.
    public var overridesDefaultTitle = false
    /// True if controls in the extension's view receive touches, from iOS 12 on.
    ///
    /// The default is false: a tap opens the app.
    public var isUserInteractionEnabled = false
    /// The extension point: ``ExtensionPoint/content``.
    public var extensionPoint = ExtensionPoint.content
    /// The class that the system instantiates; nil with only a storyboard.
    public var principalClass: String?
    /// The storyboard that the system loads; nil with only a class.
    public var mainStoryboard: String?
    /// The width of the extension's view, pixels per point, and the render budget.
    public var display: Display
    /// The fitting of a picture with another ratio into the view.
    public var fitting: Fitting

    /// The fitting of a picture whose ratio differs from the view's.
    public enum Fitting: String, Sendable, Codable, CaseIterable {
        /// Shows the whole picture; the view's height adapts.
        case fit
        /// Crops the picture by attention to the initial content-size ratio.
        case crop
    }
}

extension Profile {
    /// Creates a profile without a file, for example for an extension built elsewhere.
    ///
    /// - Parameters:
    ///   - source: The name in messages.
    ///   - categories: The categories that the extension shows.
    ///   - initialContentSizeRatio: Height divided by width of its view.
    ///   - options: The display settings. The default is `DisplayOptions()`.
    /// - Throws: ``ProfileError`` if there are no categories, one is empty or a duplicate, the ratio is
    ///   not a finite number above zero, or an option is out of range.
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
            initialContentSizeRatio: initialContentSizeRatio, display: options.display,
            fitting: options.fitting ?? .fit)
    }
}

/// The value of `NSExtensionPointIdentifier` of an app extension.
public struct ExtensionPoint: Sendable, Hashable, RawRepresentable {
    /// The identifier.
    public let rawValue: String

    /// Creates an extension point from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The extension point of a content extension (Apple, `UNNotificationContentExtension`).
    public static let content = ExtensionPoint(
        rawValue: "com.apple.usernotifications.content-extension")
    /// The extension point of a service extension (Apple, `UNNotificationServiceExtension`).
    public static let service = ExtensionPoint(rawValue: "com.apple.usernotifications.service")
}
