import NotificationAdapters

/// Downloads the picture of a push, prepares its renditions, and attaches it.
final class NotificationService: PictureServiceExtension {
    override var appGroup: String { "__APP_GROUP__" }
}
