/// The style sheets of this module, which programs carry in them.
public enum StyleSheet {
    /// Colours and type of all pages.
    public static var colours: [UInt8] { PackageResources.colours_css }
    /// The drawn notification.
    public static var notification: [UInt8] { PackageResources.notification_css }
    /// The page of a preview.
    static var preview: [UInt8] { PackageResources.preview_css }

    /// Style sheets as text, in order.
    package static func text(_ sheets: [UInt8]...) -> [String] {
        sheets.map { String(decoding: $0, as: UTF8.self) }
    }
}
