// The code of the wrong files beside this one, without their faults.
#if canImport(UserNotificationsUI) && canImport(UIKit)
    import Foundation
    import ImageIO
    import UIKit
    import UserNotifications
    import UserNotificationsUI

    func animate(_ url: NSURL) {
        _ = CGAnimateImageAtURLWithBlock(url as CFURL, nil) { _, _, _ in }
    }

    func colourSpace(_ name: String) -> CGColorSpace? { CGColorSpace(name: name as CFString) }

    func provider(_ data: Data) -> CGDataProvider? { CGDataProvider(data: data as CFData) }

    let title: String = UNMutableNotificationContent().title

    #if canImport(Darwin)
        func seconds(_ status: stat) -> Int { status.st_mtimespec.tv_sec }
    #endif

    final class Controller: UIViewController, UNNotificationContentExtension {
        nonisolated func didReceive(_ notification: UNNotification) {}
        nonisolated func didReceive(
            _ response: UNNotificationResponse,
            completionHandler: @escaping (UNNotificationContentExtensionResponseOption) -> Void
        ) {}
        nonisolated var mediaPlayPauseButtonType:
            UNNotificationContentExtensionMediaPlayPauseButtonType
        { .none }
        nonisolated var mediaPlayPauseButtonFrame: CGRect { .zero }
        nonisolated var mediaPlayPauseButtonTintColor: UIColor { .white }
        nonisolated func mediaPlay() {}
        nonisolated func mediaPause() {}
    }

    final class Delegate: UIResponder, UIApplicationDelegate {
        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool { true }
        func application(
            _ application: UIApplication,
            didRegisterForRemoteNotificationsWithDeviceToken token: Data
        ) {}
    }
#endif
