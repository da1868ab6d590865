import Foundation
import NotificationContentAdapter
import Testing

@Suite("Received notifications", .timeLimit(.minutes(1)))
struct ReceivedNotificationTests {
    private func attachment(
        _ name: String, _ kind: ReceivedNotification.Attachment.Kind
    ) -> ReceivedNotification.Attachment {
        ReceivedNotification.Attachment(
            identifier: name, url: URL(fileURLWithPath: "/\(name)"), type: "public.data",
            kind: kind)
    }

    private func notification(
        _ identifier: String, data: [AnyHashable: Any] = [:],
        _ attachments: [ReceivedNotification.Attachment] = []
    ) -> ReceivedNotification {
        ReceivedNotification(
            identifier: identifier, categoryIdentifier: "daily-pick", threadIdentifier: "thread",
            title: "Title", subtitle: "Subtitle", body: "Body",
            date: Date(timeIntervalSince1970: 1), userInfo: data, attachments: attachments)
    }

    @Test("Texts, thread, date and data are all there")
    func fields() {
        let received = notification("one", data: ["order": 7, "nested": ["a": [1, 2]]])
        #expect(received.title == "Title" && received.subtitle == "Subtitle")
        #expect(received.body == "Body" && received.threadIdentifier == "thread")
        #expect(received.categoryIdentifier == "daily-pick")
        #expect(received.date == Date(timeIntervalSince1970: 1))
        #expect(received.userInfo["order"] as? Int == 7)
        #expect((received.userInfo["nested"] as? [String: [Int]])?["a"] == [1, 2])
    }

    @Test("All attachments are there, and the first sound or movie is the one to play")
    func attachments() {
        let all = [
            attachment("a", .picture), attachment("b", .other), attachment("c", .movie),
            attachment("d", .sound),
        ]
        let received = notification("one", all)
        #expect(received.attachments == all)
        #expect(received.media?.identifier == "c")
        #expect(notification("one", [all[3], all[2]]).media?.identifier == "d")
        #expect(notification("one", [all[0], all[1]]).media == nil)
    }

    @Test("Equality compares the data too")
    func equality() {
        #expect(notification("one", data: ["a": 1]) == notification("one", data: ["a": 1]))
        #expect(notification("one", data: ["a": 1]) != notification("one", data: ["a": 2]))
        #expect(notification("one") != notification("two"))
    }

    @Test("A response names the notification that it is about")
    func response() {
        let response = ReceivedResponse(
            action: "reply", text: "Hello", notification: notification("earlier"))
        #expect(response.notification.identifier == "earlier")
        #expect(response != ReceivedResponse(action: "reply", notification: notification("latest")))
    }
}
