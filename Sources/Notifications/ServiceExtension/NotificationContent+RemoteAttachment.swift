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

    /// The request for the first remote attachment; nil without one.
    ///
    /// Only Home Assistant's is made again: it sends notifications before a camera has stored its snapshot
    /// (home-assistant/iOS#2556).
    package var pictureRequest: PictureRequest? {
        remoteAttachment.map { url in
            PictureRequest(
                url, waitsUntilReady: homeAssistant?["url"]?.string == url.absoluteString)
        }
    }

    /// True if the payload asks for no small thumbnail: `attachment.hide-thumbnail` or `attachment.lazy` of
    /// Home Assistant.
    ///
    /// Its own app downloads a lazy attachment when the notification is expanded, so that no picture is shown
    /// before (home-assistant/companion.home-assistant#510).
    package var hidesThumbnail: Bool {
        ["hide-thumbnail", "lazy"].contains { homeAssistant?[$0]?.flag ?? false }
    }

    /// The `attachment` object (Home Assistant Companion, "Standard Attachments").
    var homeAssistant: JSONValue? { userInfo.value(of: "attachment") }
}
