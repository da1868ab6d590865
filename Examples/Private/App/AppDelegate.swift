import UIKit
import UserNotifications

/// Registers the category, stores the key, and asks for permission.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().setNotificationCategories([
            UNNotificationCategory(
                identifier: Messenger.category, actions: [], intentIdentifiers: [])
        ])
        Task {
            do {
                // The key of payload.json, whose 32 bytes are 0 to 31. A messenger agrees on its own.
                try MessageKey(bytes: Data(0..<32)).store()
                guard
                    try await UNUserNotificationCenter.current()
                        .requestAuthorization(options: [.alert, .sound])
                else { return }
                application.registerForRemoteNotifications()
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
