import SwiftUI

/// An app whose notifications show a picture every day.
@main
struct DailyPickApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        WindowGroup { KeptPictures() }
    }
}
