import NotificationPayload
import Testing

@Suite("Notes that providers deliver", .timeLimit(.minutes(1)))
struct DeliveredNoteTests {
    @Test(
        "A note is found where a provider's SDK puts the data of a request",
        arguments: [
            #"{"aps":{},"thimble":{"outcome":"rendition","id":"x"}}"#,
            // OneSignal, data; Expo, data; strings of Braze, Airship and legacy FCM.
            #"{"aps":{},"custom":{"i":"7","a":{"thimble":{"outcome":"rendition","id":"x"}}}}"#,
            #"{"aps":{},"body":{"thimble":{"outcome":"rendition","id":"x"}}}"#,
            #"{"aps":{},"thimble":"{\"outcome\":\"rendition\",\"id\":\"x\"}"}"#,
        ])
    func found(text: String) throws {
        let payload = try payload(text)
        #expect(payload.envelope == nil)
        #expect(payload.note == DeliveryNote(outcome: .rendition, identifier: "x"))
    }

    @Test("Other text in the note's place is no note")
    func none() throws {
        for text in [#""x""#, #""{""#, #""[]""#, #""{\"outcome\":7}""#, "7"] {
            #expect(try payload(#"{"aps":{},"thimble":\#(text)}"#).note == nil)
        }
    }

    @Test("The size of a request is that of the APNs payload, not of the request")
    func size() throws {
        let padding = String(repeating: "x", count: 8_000)
        let request = try payload(
            #"""
            {"message":{"token":"\#(padding)","apns":{"payload":{"aps": {"alert": "Hi"}},
             "fcm_options":{"image":"https://e.com/a"}}}}
            """#)
        // The payload without white space, and fcm_options with its key, colon and comma.
        #expect(request.size == 22 + #""fcm_options":{"image":"https://e.com/a"},"#.utf8.count)
        let note = DeliveryNote(outcome: .rendition, identifier: padding)
        #expect(request.adding(note).omitted == [.identifier])
    }
}
