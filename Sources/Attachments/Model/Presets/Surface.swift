public import AttachmentContainer

/// The room of a preset's rendition, in pixels and bytes.
public struct Surface: Sendable, Hashable {
    /// Maximum size of the rendition, in pixels.
    public let size: PixelSize
    /// True to crop the picture to the proportions of `size`; false to fit the whole picture.
    public let isFilled: Bool
    /// Maximum number of pixels of the rendition, at most the area of `size`.
    public let maximumPixels: Int
    /// Maximum length of the file; nil for the settings' maximum.
    public let maximumBytes: ByteCount?

    package init(
        _ width: Int, _ height: Int, isFilled: Bool, maximumPixels: Int? = nil,
        maximumBytes: ByteCount? = nil
    ) {
        size = PixelSize(width: width, height: height)
        self.isFilled = isFilled
        self.maximumPixels = maximumPixels ?? size.pixelCount
        self.maximumBytes = maximumBytes
    }
}

extension Preset {
    /// The surface; nil for ``content`` and ``banner``, whose sizes are in the settings.
    public var surface: Surface? {
        switch self {
        case .content, .banner: nil
        case .avatar: .avatar
        case .liveActivity: .liveActivity
        case .widget: .widget
        case .androidBigPicture: .androidBigPicture
        case .androidLargeIcon: .androidLargeIcon
        case .webPush: .webPush
        }
    }
}

extension Surface {
    /// 60 × 60 points at 3 pixels: an avatar takes the place of the app's icon (Apple, Implementing
    /// communication notifications; Human Interface Guidelines, App icons, iPhone 60 pt).
    ///
    /// Apple publishes no size for the avatar itself [not verified on a device].
    fileprivate static let avatar = Surface(180, 180, isFilled: true)

    /// 371 × 160 points at 3 pixels: the smallest of the Lock Screen presentations that the Human
    /// Interface Guidelines list (Live Activities, Specifications).
    ///
    /// The system may not start an activity with an image larger than its presentation (Apple,
    /// `Activity.request(attributes:content:pushType:)`).
    fileprivate static let liveActivity = Surface(1113, 480, isFilled: false)

    /// 364 × 382 points at 3 pixels, the large widget of the widest iPhones (Human Interface
    /// Guidelines, Widgets, Specifications), with a ceiling on the pixels.
    ///
    /// WidgetKit fails with "Widget archival failed due to image being too large" above a number of
    /// pixels that differs between devices and is not documented: 718,080 is the smallest reported
    /// (Apple Developer Forums 773785), 2,121,055 another (BookPlayer#1230).
    fileprivate static let widget = Surface(1092, 1146, isFilled: false, maximumPixels: 718_080)

    /// 450 × 225 dp at 3 pixels (xxhdpi): wider bitmaps waste memory and may exceed the limits of
    /// Binder (Google I/O, Haase, Guy and Sandler, slide 52: at most 450 dp wide, about 2:1).
    ///
    /// FCM limits pictures to 1 MB (Firebase, Send an image in the notification payload).
    fileprivate static let androidBigPicture = Surface(
        1350, 675, isFilled: true, maximumBytes: .megabytes(1))

    /// 64 × 64 dp at 4 pixels (xxxhdpi): `android.R.dimen.notification_large_icon_width`, 64 dp in
    /// AOSP [the value is not verified].
    ///
    /// FCM's limit holds for every picture of a notification.
    fileprivate static let androidLargeIcon = Surface(
        256, 256, isFilled: true, maximumBytes: .megabytes(1))

    /// 450 × 225 dip at 4 pixels: Chromium reduces larger images to this size
    /// (`kWebNotificationMaxImageWidthPx`, `kWebNotificationMaxImageHeightPx`), and shows them at 2:1
    /// on Android and Windows.
    ///
    /// Neither the Notifications standard nor Chromium publishes a limit on the file. FCM's limit
    /// is used, because FCM delivers to both [not verified].
    fileprivate static let webPush = Surface(
        1800, 900, isFilled: true, maximumBytes: .megabytes(1))
}
