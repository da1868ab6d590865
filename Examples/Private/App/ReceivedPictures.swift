import AttachmentContainer
import NotificationAdapters
import SwiftUI

/// Counts the pictures of received messages.
struct ReceivedPictures: View {
    @State private var text = ""

    var body: some View {
        Text(text).task {
            do {
                text = "\(try await Self.count()) pictures"
            } catch {
                text = "\(error)"
            }
        }
    }

    /// Counts the manifests off the main thread.
    @concurrent
    private nonisolated static func count() async throws -> Int {
        let container = try SharedContainer.create(inAppGroup: Messenger.appGroup)
        return try container.manifests().reduce(0) { count, _ in count + 1 }
    }
}
