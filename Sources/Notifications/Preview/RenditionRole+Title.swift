public import AttachmentContainer

extension RenditionRole {
    /// The title on a page; an unknown role's title is its name.
    public var title: String { Self.titles[rawValue] ?? rawValue }

    /// Titles of the known roles, by name.
    public static let titles: [String: String] = [
        RenditionRole.expanded.rawValue: "Expanded",
        RenditionRole.banner.rawValue: "Banner",
        RenditionRole.attachment.rawValue: "Animation",
        RenditionRole.media.rawValue: "Sound or movie",
        RenditionRole.avatar.rawValue: "Avatar",
        RenditionRole.liveActivity.rawValue: "Live Activity",
        RenditionRole.widget.rawValue: "Widget",
        RenditionRole.androidBigPicture.rawValue: "Android, big picture",
        RenditionRole.androidLargeIcon.rawValue: "Android, large icon",
        RenditionRole.webPush.rawValue: "Web push",
    ]
}
