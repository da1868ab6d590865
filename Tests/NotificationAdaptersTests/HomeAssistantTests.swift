import Foundation
import NotificationAdapters
import NotificationPayload
import Testing

@Suite("Home Assistant and ntfy")
struct HomeAssistantTests {
    private static func notification(_ payload: String) throws -> NotificationContent {
        try APNsPayload(parsing: payload.utf8).content(identifier: "one")
    }

    private static func server(
        _ url: String = "https://home.example.org:8123", readsStreams: Bool = false
    ) throws -> HomeAssistantServer {
        HomeAssistantServer(
            try #require(URL(string: url)), token: "secret", readsStreams: readsStreams)
    }

    @Test("A snapshot of Home Assistant is waited for, and its payload hides the thumbnail")
    func homeAssistant() throws {
        let payload = try APNsPayload(
            parsing: #"""
                {"aps":{"alert":{"title":"Door"},"mutable-content":1,"category":"camera"},
                 "attachment":{"url":"https://home.example.org/local/door.jpg",
                 "content-type":"jpeg","hide-thumbnail":true},"entity_id":"camera.door"}
                """#.utf8)
        let notification = payload.content(identifier: "one")
        #expect(notification.pictureRequest?.waitsUntilReady == true)
        #expect(
            notification.pictureRequest?.url.absoluteString
                == "https://home.example.org/local/door.jpg")
        #expect(notification.hidesThumbnail)
        #expect(notification.userInfo.contains { $0.key == "entity_id" })
        let other = try APNsPayload(
            parsing: #"{"aps":{},"attachment_url":"https://ntfy.sh/file/a.jpg"}"#.utf8)
        let plain = other.content(identifier: "one")
        #expect(plain.pictureRequest?.waitsUntilReady == false && !plain.hidesThumbnail)
    }

    @Test("A lazy attachment shows no picture before it is expanded", arguments: [true, false])
    func lazy(isLazy: Bool) throws {
        let notification = try Self.notification(
            #"{"aps":{},"entity_id":"camera.door","attachment":{"lazy":\#(isLazy)}}"#)
        #expect(notification.hidesThumbnail == isLazy)
        #expect(try Self.server().request(for: notification) != nil)
    }

    @Test(
        "Cameras and files of the server are asked for with its token",
        arguments: [
            (
                #"{"aps":{},"entity_id":"camera.front_door_2"}"#, false,
                "https://home.example.org:8123/api/camera_proxy/camera.front_door_2"
            ),
            (
                #"{"aps":{},"entity_id":"camera.door","attachment":{"hide-thumbnail":true}}"#, true,
                "https://home.example.org:8123/api/camera_proxy_stream/camera.door"
            ),
            (
                #"{"aps":{},"entity_id":"camera.door","attachment":{"url":"/media/local/a.jpg"}}"#,
                false, "https://home.example.org:8123/media/local/a.jpg"
            ),
        ])
    func server(payload: String, readsStreams: Bool, url: String) throws {
        let request = try #require(
            Self.server(readsStreams: readsStreams).request(for: Self.notification(payload)))
        #expect(request.url.absoluteString == url)
        #expect(request.headers == ["Authorization": "Bearer secret"])
        #expect(request.waitsUntilReady)
    }

    @Test(
        "No payload sends the token to another server, or to another endpoint",
        arguments: [
            #"{"aps":{}}"#, #"{"aps":{},"entity_id":"light.door"}"#,
            #"{"aps":{},"entity_id":"camera."}"#, #"{"aps":{},"entity_id":7}"#,
            #"{"aps":{},"entity_id":"camera.door/../../config"}"#,
            #"{"aps":{},"entity_id":"camera.door?x=1"}"#, #"{"aps":{},"entity_id":"camera.a.b"}"#,
            #"{"aps":{},"attachment":{"url":"https://home.example.org:8123/local/a.jpg"}}"#,
            #"{"aps":{},"attachment":{"url":"//evil.example.org/a.jpg"}}"#,
            #"{"aps":{},"attachment":{"url":"//evil.example.org:8123/a.jpg"}}"#,
            #"{"aps":{},"attachment":{"url":"///evil.example.org/a.jpg"}}"#,
            #"{"aps":{},"attachment":{"url":"/\\evil.example.org/a.jpg"},"entity_id":"camera.door"}"#,
        ])
    func elsewhere(payload: String) throws {
        let request = try Self.server().request(for: Self.notification(payload))
        // A path with backslashes stays on the server.
        #expect(request == nil || request?.url.host == "home.example.org", "\(payload)")
        #expect(request == nil || payload.contains("\\"), "\(payload)")
    }

    @Test("Descriptions have neither URL nor token")
    func descriptions() throws {
        let server = try Self.server()
        var dumped = ""
        dump(server, to: &dumped)
        for text in ["\(server)", String(reflecting: server), dumped] {
            #expect(!text.contains("secret") && !text.contains("example"), "\(text)")
        }
        let explanation = PictureExplanation("The camera did not answer", symbol: .camera)
        #expect("\(explanation)" == "explanation with the symbol camera")
        #expect(!String(reflecting: explanation).contains("answer"))
    }
}
