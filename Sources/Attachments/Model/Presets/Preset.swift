public import AttachmentContainer

/// A display surface that renditions are made for.
///
/// Any number of presets share one decoding; see ``PresetSelection``. Pictures are never enlarged,
/// and sound and movies themselves are passed through whatever the presets.
public enum Preset: String, Sendable, Codable, CaseIterable {
    /// A content extension: `expanded`, `banner`, and `attachment` for an animation; the default.
    ///
    /// ``ProcessingSettings`` has the sizes.
    case content
    /// The square thumbnail of a banner alone, with the side of the settings.
    case banner
    /// The sender of a communication notification, as a square.
    case avatar
    /// A picture in a Live Activity on the Lock Screen, whole.
    case liveActivity = "live-activity"
    /// A picture in a widget on the Home Screen, whole.
    case widget
    /// The picture of Android's `BigPictureStyle`, cropped to 2:1.
    case androidBigPicture = "android-big-picture"
    /// The large icon of an Android notification, as a square.
    case androidLargeIcon = "android-large-icon"
    /// The `image` of a web notification, cropped to 2:1.
    case webPush = "web-push"

    /// The name of the rendition in the manifest; for ``content``, its main rendition's name.
    public var role: RenditionRole {
        switch self {
        case .content: .expanded
        case .banner: .banner
        case .avatar: .avatar
        case .liveActivity: .liveActivity
        case .widget: .widget
        case .androidBigPicture: .androidBigPicture
        case .androidLargeIcon: .androidLargeIcon
        case .webPush: .webPush
        }
    }

    /// All names, separated by commas.
    public static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
