import SwiftUI

/// An app whose notifications bring a picture a day.
@main
struct DailyPickApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        WindowGroup { KeptPictures() }
    }
}
