import AttachmentContainer
import NotificationAdapters
import SwiftUI

/// Shows the number of pictures kept from notifications.
struct KeptPictures: View {
    @State private var text = ""

    var body: some View {
        Text(text).task {
            do {
                text = "\(try await Self.count()) kept"
            } catch {
                text = "\(error)"
            }
        }
    }

    /// Counts pinned pictures off the main thread.
    @concurrent
    private nonisolated static func count() async throws -> Int {
        let container = try SharedContainer.create(inAppGroup: DailyPick.appGroup)
        return try container.pinned().reduce(0) { count, _ in count + 1 }
    }
}
