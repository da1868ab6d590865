import UIKit
import UserNotifications

/// Registers the category, asks for permission, and schedules the local notification.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: DailyPick.category,
                actions: [UNNotificationAction(identifier: DailyPick.keep, title: "Keep")],
                intentIdentifiers: [])
        ])
        Task {
            do {
                // simulate.sh has nobody to answer a question: provisional notifications need no answer.
                let isProvisional = CommandLine.arguments.contains("--provisional")
                guard
                    try await UNUserNotificationCenter.current()
                        .requestAuthorization(
                            options: isProvisional
                                ? [.alert, .sound, .provisional] : [.alert, .sound])
                else { return }
                application.registerForRemoteNotifications()
                try await Reminder().schedule()
            } catch {
                print(error)
            }
        }
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        // The server needs this address.
        print(deviceToken.map { String(format: "%02x", $0) }.joined())
    }
}
