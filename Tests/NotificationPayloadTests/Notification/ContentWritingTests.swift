import NotificationPayload
import Testing

@Suite("Writing a notification back", .timeLimit(.minutes(1)))
struct ContentWritingTests {
    private func edited(
        _ text: String, _ edit: (inout NotificationContent) -> Void
    ) throws -> String {
        let payload = try payload(text)
        var content = payload.content(identifier: "id")
        edit(&content)
        let written = try payload.writing(content)
        #expect(written.content(identifier: "id") == content)
        return written.text
    }

    @Test("Unchanged content keeps every byte")
    func unchanged() throws {
        #expect(try edited(NotificationContentTests.full) { _ in } == NotificationContentTests.full)
        var random = RandomJSON(seed: 5)
        var compared = 0
        for _ in 0..<500 {
            guard let payload = try? payload(random.document()) else { continue }
            let content = payload.content(identifier: "other")
            #expect(try payload.writing(content) == payload)
            compared += 1
        }
        #expect(compared > 0)
    }

    @Test("Each field changes alone and reads back")
    func fields() throws {
        let full = NotificationContentTests.full
        for (old, new, edit) in [
            (#""DAILY""#, #""WEEKLY""#, { $0.categoryIdentifier = "WEEKLY" }),
            (#""t1""#, #""t\"2""#, { $0.threadIdentifier = "t\"2" }),
            (#""T\u00e9""#, #""Tü""#, { $0.title?.text = "Tü" }),
            (#""SK""#, #""SL""#, { $0.subtitle?.localisationKey = "SL" }),
            (#"["x", 7]"#, #"["y"]"#, { $0.body?.localisationArguments = ["y"] }),
            (#""B""#, #""C""#, { $0.body?.text = "C" }),
            (#""Launch""#, #""Other""#, { $0.launchImageName = "Other" }),
            ("3.0", "4", { $0.badge = 4 }), ("0.25", "0.5", { $0.relevanceScore = 0.5 }),
            (#""w""#, #""x""#, { $0.targetContentIdentifier = "x" }),
            (#", "filter-criteria" : "f""#, "", { $0.filterCriteria = nil }),
            (#""time-sensitive""#, #""passive""#, { $0.interruptionLevel = .passive }),
            (
                #"{ "critical" : 1, "name" : "bell.caf", "volume" : 0.5 }"#, #""default""#,
                { $0.sound = .default }
            ),
            (",\n    \"mutable-content\" : 1", "", { $0.isMutable = false }),
            (#""thread-id" : "t1", "#, "", { $0.threadIdentifier = nil }),
            (#""launch-image" : "Launch", "#, "", { $0.launchImageName = nil }),
            ("1e3", "[null]", { $0.userInfo[1].value = .array([.null]) }),
            (#""n" : 1e3, "#, "", { $0.userInfo.remove(at: 1) }),
        ] as [(String, String, (inout NotificationContent) -> Void)] {
            #expect(full.contains(old))
            #expect(try edited(full, edit) == full.replacing(old, with: new, maxReplacements: 1))
        }
    }

    @Test("Absent fields are added")
    func added() throws {
        #expect(
            try edited("{}") {
                $0.categoryIdentifier = "C"
                $0.sound = .critical(name: nil, volume: 0.5)
                $0.isMutable = true
                $0.userInfo.append(JSONMember("k", .bool(true)))
            }
                == #"{"k":true,"aps":{"category":"C","sound":{"critical":1,"name":"default","volume":0.5},"mutable-content":1}}"#
        )
        #expect(
            try edited(#"{"aps":{"alert":"B","badge":1}}"#) {
                $0.title = NotificationText("T")
                $0.hasAlert = true
            } == #"{"aps":{"alert":{"body":"B","title":"T"},"badge":1}}"#)
        #expect(
            try edited(#"{"aps":{}}"#) {
                $0.body = NotificationText(localisationKey: "K", localisationArguments: ["a"])
                $0.hasAlert = true
            } == #"{"aps":{"alert":{"loc-key":"K","loc-args":["a"]}}}"#)
        #expect(
            try edited(#"{"aps":{"alert":{"title":"T","body":"B"},"sound":"a"}}"#) {
                $0.title = nil
                $0.sound = .none
            } == #"{"aps":{"alert":{"body":"B"}}}"#)
    }

    @Test("Arguments without a key are not reused for another text")
    func strayArguments() throws {
        let text = #"{"aps":{"alert":{"title-loc-args":["a"],"body":"B"}}}"#
        #expect(
            try edited(text) { $0.title = NotificationText("T") }
                == #"{"aps":{"alert":{"title-loc-args":["a"],"body":"B","title":"T"}}}"#)
        #expect(
            try edited(text) { $0.title = NotificationText(localisationKey: "K") }
                == #"{"aps":{"alert":{"body":"B","title-loc-key":"K"}}}"#)
    }

    @Test("An attachment's new location replaces the old one")
    func attachments() throws {
        let text = #"{"aps":{},"fcm_options":{"image":"https://e.com/a.png", "x":1.0}}"#
        let payload = try payload(text)
        var content = payload.content(identifier: "id")
        content.attachments[0].location = "https://cdn/b.jpg"
        content.attachments.append(AttachmentReference(identifier: "2", location: "/elsewhere"))
        let written = try payload.writing(content)
        #expect(
            written.text == #"{"aps":{},"fcm_options":{"image":"https://cdn/b.jpg", "x":1.0}}"#)
    }
}
