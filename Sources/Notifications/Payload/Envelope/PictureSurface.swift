/// The place where a device shows the picture of a key in a provider's request.
///
/// The raw values are the names of Thimble's presets, of which each place gets its own rendition.
public enum PictureSurface: String, Sendable, CaseIterable {
    /// A notification of an Apple device.
    case content
    /// Any other place without a preset, such as the picture for all platforms.
    case other
    /// The picture of an Android notification.
    case androidBigPicture = "android-big-picture"
    /// The large icon of an Android notification, or the icon of a web notification.
    case androidLargeIcon = "android-large-icon"
    /// The picture of a web notification.
    case webPush = "web-push"
}
