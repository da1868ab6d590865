import NotificationAdapters
import UserNotifications

/// Decrypts a message, and gets, decrypts and attaches its picture.
final class NotificationService: PictureServiceExtension {
    /// The system creates an instance for each notification.
    private var message: Message?

    override var appGroup: String { Messenger.appGroup }
    override var categories: Set<String>? { [Messenger.category] }

    override func prepare(_ content: UNMutableNotificationContent) async throws {
        let key = try MessageKey.stored()
        let message = try Message(of: content.userInfo) { try key.open($0) }
        content.title = message.sender
        content.body = message.text
        self.message = message
    }

    override func picture(of content: UNNotificationContent) async throws -> PictureSource? {
        message?.picture?.source
    }
}
