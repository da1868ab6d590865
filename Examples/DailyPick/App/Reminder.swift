import AttachmentContainer
import AttachmentImageIO
import AttachmentModel
import Foundation
import NotificationAdapters
import NotificationDelivery
import UserNotifications

/// A local notification at nine in the morning, with a picture from the app's bundle.
struct Reminder {
    /// A constant, so that each notification replaces the previous one.
    private let identifier = "reminder"

    /// Prepares the renditions and schedules the notification.
    ///
    /// - Throws: The cause of a failure; then nothing is scheduled.
    func schedule() async throws {
        let container = try SharedContainer.create(inAppGroup: DailyPick.appGroup)
        let stage = try DeliveryStage(
            container: container,
            processor: ImageIOProcessor(settings: ProcessingSettings(), container: container))
        let content = UNMutableNotificationContent()
        content.title = "Pick of the day"
        content.body = "Yesterday's is still here."
        content.categoryIdentifier = DailyPick.category
        if let picture = Bundle.main.url(forResource: "yesterday", withExtension: "heic") {
            try await content.attach(picture, identifier: identifier, through: stage)
        }
        let trigger = UNCalendarNotificationTrigger(
            dateMatching: DateComponents(hour: 9), repeats: true)
        try await UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }
}
