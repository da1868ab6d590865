public import Foundation
public import NotificationPayload

/// A server of Home Assistant, for payloads that name its cameras and files.
///
/// A payload names no server, and its sender must not choose who gets the token, so the app knows both.
public struct HomeAssistantServer: Sendable {
    /// The URL of the server, such as `https://home.example.org`.
    public var url: URL
    /// An access token, sent to the server only.
    public var token: String
    /// True to take the first whole frame of a camera's stream in place of its snapshot.
    ///
    /// The default is false, as in Home Assistant's own app. A stream also has a frame where the camera's
    /// integration gives no snapshot, but starting it takes longer.
    public var readsStreams: Bool

    /// Creates the description of a server.
    ///
    /// - Parameters:
    ///   - url: The URL of the server.
    ///   - token: An access token.
    ///   - readsStreams: True to read streams in place of snapshots. The default is false.
    public init(_ url: URL, token: String, readsStreams: Bool = false) {
        self.url = url
        self.token = token
        self.readsStreams = readsStreams
    }

    /// Returns the request for the picture that a payload names on this server.
    ///
    /// `attachment.url` counts first if it begins with a slash, then the camera of `entity_id` (Home Assistant
    /// Companion, "Dynamic content" and "Attachments"). A complete URL needs no token.
    ///
    /// - Parameter notification: The notification, with its payload.
    /// - Returns: The request, which waits until the picture is ready; nil if the payload names none.
    public func request(for notification: NotificationContent) -> PictureRequest? {
        let path: String
        if let location = notification.homeAssistant?["url"]?.string {
            guard location.hasPrefix("/") else { return nil }
            path = location
        } else {
            guard let camera = notification.userInfo.value(of: "entity_id")?.string,
                Self.isCamera(camera)
            else { return nil }
            path = "/api/camera_proxy\(readsStreams ? "_stream" : "")/\(camera)"
        }
        // A path that begins with two slashes names another host.
        guard let location = URL(string: path, relativeTo: url)?.absoluteURL,
            Origin(location) == Origin(url)
        else { return nil }
        return PictureRequest(location, headers: ["Authorization": "Bearer \(token)"])
    }

    /// Entity identifiers have lower-case letters, digits and underscores (Home Assistant, "Entities").
    private static func isCamera(_ identifier: String) -> Bool {
        let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == "camera" && !parts[1].isEmpty
            && parts[1].utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
            }
    }
}

extension HomeAssistantServer: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The kind of value, without URL and token, which are private.
    public var description: String { "server of Home Assistant" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// No children, so that no dump shows the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
