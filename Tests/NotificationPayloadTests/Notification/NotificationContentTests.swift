import NotificationPayload
import Testing

@Suite("Notification content", .timeLimit(.minutes(1)))
struct NotificationContentTests {
    static let full = #"""
        {
          "aps" : {
            "alert" : { "title" : "T\u00e9", "title-loc-key" : "TK", "title-loc-args" : [ "1", "2" ],
              "subtitle" : "S", "subtitle-loc-key" : "SK", "body" : "B", "loc-key" : "BK",
              "loc-args" : ["x", 7], "launch-image" : "Launch", "unknown" : 1.0 },
            "category" : "DAILY", "thread-id" : "t1", "badge" : 3.0,
            "sound" : { "critical" : 1, "name" : "bell.caf", "volume" : 0.5 },
            "mutable-content" : 1, "interruption-level" : "time-sensitive",
            "relevance-score" : 0.25, "target-content-id" : "w", "filter-criteria" : "f"
          },
          "gcm.message_id" : "0:1%a", "n" : 1e3, "aps2" : {"deep":[1.0]}
        }
        """#

    @Test("Every field is read from Apple's keys")
    func fields() throws {
        let payload = try payload(Self.full)
        let content = payload.content(identifier: "id")
        #expect(content.identifier == "id")
        #expect(content.categoryIdentifier == "DAILY" && content.threadIdentifier == "t1")
        #expect(
            content.title
                == NotificationText("Té", localisationKey: "TK", localisationArguments: ["1", "2"]))
        #expect(content.subtitle == NotificationText("S", localisationKey: "SK"))
        #expect(
            content.body
                == NotificationText("B", localisationKey: "BK", localisationArguments: ["x"]))
        #expect(content.sound == .critical(name: "bell.caf", volume: 0.5))
        #expect(content.badge == 3 && content.launchImageName == "Launch")
        #expect(content.isMutable && content.hasAlert)
        #expect(content.interruptionLevel == .timeSensitive && content.relevanceScore == 0.25)
        #expect(content.targetContentIdentifier == "w" && content.filterCriteria == "f")
        #expect(content.userInfo.map(\.key) == ["gcm.message_id", "n", "aps2"])
        #expect(content.userInfo.value(of: "n")?.number?.spelling == "1e3")
        #expect(content.attachments.isEmpty)
        #expect(payload.identifier() == "0:1%a")
    }

    @Test("Sparse or mistyped payloads are read as far as possible")
    func little() throws {
        for text in [
            "{}", #"{"aps":{}}"#,
            #"""
            {"aps":{"alert":7,"category":1,"thread-id":null,"badge":1.5,"sound":[],
             "mutable-content":0,"interruption-level":{},"relevance-score":"high",
             "target-content-id":1,"filter-criteria":[]}}
            """#, #"{"aps":{"alert":"","sound":"","badge":"3","mutable-content":"1"}}"#,
            #"{"aps":{"alert":{"title":7,"loc-args":["a"],"body":""},"sound":{"volume":1}}}"#,
        ] {
            let content = try payload(text).content(identifier: "id")
            #expect(content.sound == .none && !content.hasAlert && !content.isMutable)
            #expect(content.badge == nil && content.categoryIdentifier == nil)
            #expect(content.threadIdentifier == nil && content.title == nil)
            #expect(content.interruptionLevel == nil && content.relevanceScore == nil)
            #expect(content.targetContentIdentifier == nil && content.filterCriteria == nil)
            #expect(content.userInfo.isEmpty && content.launchImageName == nil)
        }
    }

    @Test(
        "Every form of sound is read",
        arguments: [
            (#""default""#, .default), (#""a.caf""#, .named("a.caf")),
            (#"{"name":"a.caf"}"#, .named("a.caf")), (#"{"name":"default"}"#, .default),
            (#"{"critical":0,"name":"a.caf"}"#, .named("a.caf")),
            (#"{"critical":1,"name":"default"}"#, .critical(name: nil, volume: 1)),
            (#"{"critical":true,"volume":7}"#, .critical(name: nil, volume: 1)),
            (#"{"critical":1.0,"volume":-1}"#, .critical(name: nil, volume: 0)), ("1", .none),
        ] as [(String, NotificationSound)])
    func sounds(text: String, sound: NotificationSound) throws {
        let content = try payload(#"{"aps":{"sound":\#(text)}}"#).content(identifier: "id")
        #expect(content.sound == sound)
    }

    @Test(
        "Only an alert with text counts",
        arguments: [
            (#""Hi""#, true), (#"{"title":"Hi"}"#, true), (#"{"loc-key":"K"}"#, true),
            (#"{"subtitle-loc-key":"K"}"#, true), (#"{"launch-image":"x"}"#, false), ("{}", false),
        ])
    func alerts(text: String, hasAlert: Bool) throws {
        let content = try payload(#"{"aps":{"alert":\#(text)}}"#).content(identifier: "id")
        #expect(content.hasAlert == hasAlert)
    }

    @Test(
        "Other shapes than a payload's are rejected",
        arguments: [
            ("[]", 0), ("1", 0), (#""aps""#, 0), (" null", 0), (#"{"aps":[]}"#, 7),
            (#"{"aps":{},"aps":"x"}"#, 16),
        ])
    func shapes(text: String, offset: Int) throws {
        let error = try #require(throws: PayloadError.self) { try payload(text) }
        #expect(error.code == .wrongShape && error.offset == offset)
    }

    @Test(
        "An identifier is found at the paths of the SDKs, in order",
        arguments: [
            (#"{"gcm.message_id":"g","thimble":{"id":"t"}}"#, "t"),
            (#"{"thimble":{"id":""},"gcm.message_id":"g"}"#, "g"),
            (#"{"gcm.message_id":1234567890123456789012,"_":"s"}"#, "1234567890123456789012"),
            (#"{"os_data":{"i":"o"},"custom":{"i":"c"}}"#, "o"), (#"{"custom":{"i":"c"}}"#, "c"),
            (#"{"itbl":{"messageId":"m"}}"#, "m"), (#"{"_":"s"}"#, "s"),
            (
                #"{"google.c.fid":"installation","wzrk_id":"campaign","gcm":{"message_id":"x"}}"#,
                nil
            ),
            (#"{"thimble":{"id":{}},"_":null}"#, nil), ("{}", nil),
        ])
    func identifiers(text: String, identifier: String?) throws {
        #expect(try payload(text).identifier() == identifier)
    }

    @Test("An identifier is found at a custom path")
    func ownIdentifier() throws {
        let payload = try payload(#"{"a":{"b":["x","y"]},"_":"s"}"#)
        #expect(payload.identifier(at: [try path("a.c"), try path("a.b[1]")]) == "y")
        #expect(payload.identifier(at: []) == nil)
    }

    @Test("A notification needs only its identifier")
    func defaults() {
        let content = NotificationContent(identifier: "id")
        #expect(content.sound == .none && content.isMutable && !content.hasAlert)
        #expect(NotificationContent(identifier: "id", body: NotificationText("Hi")).hasAlert)
        #expect(!NotificationContent(identifier: "id", body: NotificationText("")).hasAlert)
    }

    @Test("Descriptions contain no identifier or text")
    func privacy() throws {
        let payload = try payload(
            #"""
            {"aps":{"alert":{"title":"secret","loc-key":"secret"},"category":"secret"},
             "thimble":{"id":"secret","media":"secret"},"secret":"secret"}
            """#)
        let content = payload.content(identifier: "secret")
        for text in [
            "\(payload)", payload.debugDescription, "\(content)", content.debugDescription,
            "\(content.title as Any)", "\(content.attachments)", "\(content.userInfo)",
        ] { #expect(!text.contains("secret"), "\(text)") }
        #expect("\(content)" == "notification with 1 attachments, not mutable")
    }
}
