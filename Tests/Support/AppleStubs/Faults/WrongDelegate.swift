// error: instance method 'application(_:didFinishLaunchingWithOption:)' has different argument labels from those required by protocol 'UIApplicationDelegate'
import UIKit

final class Delegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOption options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
    ) {}
}
