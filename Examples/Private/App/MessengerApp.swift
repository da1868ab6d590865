import SwiftUI

/// A messenger whose server sees neither texts nor pictures.
@main
struct MessengerApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        WindowGroup { ReceivedPictures() }
    }
}
