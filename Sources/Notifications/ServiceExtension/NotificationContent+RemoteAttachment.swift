package import Foundation
package import NotificationPayload

extension NotificationContent {
    /// The URL of the first remote attachment; nil without one.
    ///
    /// The sender of a push cannot know paths on this device, so they are ignored. A delivery note of a
    /// server does not matter: an attachment that the server could not get may be available here.
    package var remoteAttachment: URL? {
        attachments.lazy.filter { $0.kind == .remoteURL }
            .compactMap { URL(string: $0.location) }.first
    }
}
