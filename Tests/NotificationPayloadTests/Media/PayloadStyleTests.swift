import NotificationPayload
import Testing

@Suite("Payload styles", .timeLimit(.minutes(1)))
struct PayloadStyleTests {
    /// A style, a payload from its SDK's documentation, and the expected identifier, location,
    /// type hint and path.
    static let samples: [(PayloadStyle, String, [String])] = [
        (
            .thimble, #"{"aps":{},"thimble":{"media":"pictures/a.jpg"}}"#,
            ["0 pictures/a.jpg - thimble.media"]
        ),
        (
            .thimble,
            #"{"thimble":{"media":{"id":"cover","url":"file:///a.jpg","type":"image/jpeg"}}}"#,
            ["cover file:///a.jpg image/jpeg thimble.media.url"]
        ),
        (
            .fcm,
            #"""
            {"aps":{"alert":{"title":"Hi"},"mutable-content":1},"gcm.message_id":"0:15%c",
             "fcm_options":{"image":"https://example.com/a.png","analytics_label":"x"}}
            """#,
            ["0 https://example.com/a.png - fcm_options.image"]
        ),
        (
            .braze,
            #"{"ab":{"c":"Y2Ft","att":{"url":"http://example.com/a.jpg","type":"jpg"}},"aps":{}}"#,
            ["0 http://example.com/a.jpg jpg ab.att.url"]
        ),
        (
            .airship,
            #"{"com.urbanairship.media_attachment":{"url":"https://e.com/a.gif"},"_":"s"}"#,
            [#"0 https://e.com/a.gif - com\.urbanairship\.media_attachment.url"#]
        ),
        (
            .airship, #"{"com.urbanairship.media_attachment":{"url":["https://e.com/a","b.jpg"]}}"#,
            [
                #"0 https://e.com/a - com\.urbanairship\.media_attachment.url[0]"#,
                #"1 b.jpg - com\.urbanairship\.media_attachment.url[1]"#,
            ]
        ),
        (
            .airship,
            #"""
            {"com.urbanairship.media_attachment":{"url":"old.jpg","thumbnail_id":"two","urls":[
              {"url":"https://e.com/1.jpg","url_id":"one"},{"url":"https://e.com/2.jpg"}]}}
            """#,
            [
                #"one https://e.com/1.jpg - com\.urbanairship\.media_attachment.urls[0].url"#,
                #"1 https://e.com/2.jpg - com\.urbanairship\.media_attachment.urls[1].url"#,
            ]
        ),
        (
            .onesignal, #"{"os_data":{"i":"7","att":{"id.1":"https://e.com/a.jpg","b":"b.mp4"}}}"#,
            [#"id.1 https://e.com/a.jpg - os_data.att.id\.1"#, "b b.mp4 - os_data.att.b"]
        ),
        (
            .onesignal, #"{"custom":{"i":"7"},"att":{"id":"https://e.com/a.jpg"}}"#,
            ["id https://e.com/a.jpg - att.id"]
        ),
        (
            .onesignal, #"{"os_data":{"i":"7","buttons":{"m":"Hi","at":{"id":"a.jpg"}}}}"#,
            ["id a.jpg - os_data.buttons.at.id"]
        ),
        (.onesignal, #"{"m":"Hi","at":{"id":"a.jpg"}}"#, ["id a.jpg - at.id"]),
        (
            .onesignal, #"{"ios_attachments":{"id1":"https://e.com/a.jpg","":"b.jpg"}}"#,
            ["id1 https://e.com/a.jpg - ios_attachments.id1", "1 b.jpg - ios_attachments."]
        ),
        (
            .expo, #"{"richContent":{"image":"https://e.com/a.png"},"aps":{"mutable-content":1}}"#,
            ["0 https://e.com/a.png - richContent.image"]
        ),
        (
            .expo,
            #"{"body":{"url":"/x","_richContent":{"image":"https://e.com/a.png"}},"scopeKey":"@a/b"}"#,
            ["0 https://e.com/a.png - body._richContent.image"]
        ),
        (
            .clevertap,
            #"{"W$id":"15_2026","ct_mediaType":"image","ct_mediaUrl":"https://e.com/a.png","aps":{}}"#,
            ["0 https://e.com/a.png image ct_mediaUrl"]
        ),
        (
            .salesforce,
            #"{"_m":"m","_sid":"SFMC","_mediaUrl":"https://e.com/a.gif","_mediaAlt":"A cat"}"#,
            ["0 https://e.com/a.gif - _mediaUrl"]
        ),
        (
            .iterable,
            #"{"itbl":{"messageId":"m","attachment-url":"https://e.com/a.jpg"},"aps":{}}"#,
            ["0 https://e.com/a.jpg - itbl.attachment-url"]
        ),
        (
            .iterable, #"{"attachment-url":"https://e.com/a.jpg"}"#,
            ["0 https://e.com/a.jpg - attachment-url"]
        ),
        (
            .customerio,
            #"""
            {"aps":{"mutable-content":1,"sound":"default","alert":{"title":"Hi","body":"There"}},
             "CIO":{"push":{"link":"my-app://home","image":"https://e.com/a.png"}}}
            """#,
            ["0 https://e.com/a.png - CIO.push.image"]
        ),
        (
            .adobe,
            #"""
            {"aps":{"alert":{"title":"Hi"},"mutable-content":1},"adb_a_type":"DEEPLINK",
             "adb_uri":"app://x","adb_media":"https://e.com/a.jpg"}
            """#,
            ["0 https://e.com/a.jpg - adb_media"]
        ),
        (
            .adobe,
            #"""
            {"aps":{"alert":{"body":"Text","title":"Title"},"mutable-content":1,"badge":2},
             "media-attachment-url":"https://e.com/a.jpeg","uri":"app://x","_dId":"56c4","_mId":"h1"}
            """#,
            ["0 https://e.com/a.jpeg - media-attachment-url"]
        ),
        (
            .klaviyo,
            #"""
            {"aps":{"alert":{"title":"Hi"},"mutable-content":1},"body":{"_k":"id"},
             "rich-media":"https://e.com/a.png","rich-media-type":"png"}
            """#,
            ["0 https://e.com/a.png png rich-media"]
        ),
        (
            .moengage,
            #"""
            {"moengage":{"moe_campaign_id":"3","media-type":"image","cid":"3_L_0",
             "media-attachment":"https://e.com/a.jpg"},"app_extra":{},"moe_push_service":"apns"}
            """#,
            ["0 https://e.com/a.jpg image moengage.media-attachment"]
        ),
        (
            .emarsys,
            #"""
            {"aps":{"alert":{"title":"Hi"},"mutable-content":1},"image_url":"https://e.com/a.png",
             "u":{"sid":"asdf"},"ems":{"multichannelId":"campaign","actions":[]},"ems_msg":{}}
            """#,
            ["0 https://e.com/a.png - image_url"]
        ),
        (
            .emarsys,
            #"""
            {"aps":{"alert":{"title":"Hi"},"mutable-content":1},"ems":{"version":"APNS_V2"},
             "notification":{"imageUrl":"https://e.com/a.jpeg","silent":false,"actions":[]}}
            """#,
            ["0 https://e.com/a.jpeg - notification.imageUrl"]
        ),
        (
            .webpush, #"{"notification":{"title":"Hi","image":"https://e.com/a.png"}}"#,
            ["0 https://e.com/a.png - notification.image"]
        ),
        (
            .webpush, #"{"title":"Hi","icon":"i.png","image":"https://e.com/a.png"}"#,
            ["0 https://e.com/a.png - image"]
        ),
        (
            .clevertap,
            #"""
            {"pt_id":"pt_manual_carousel","pt_img1":"https://e.com/1.jpg","pt_img2":"https://e.com/2.jpg",
             "pt_img4":"https://e.com/4.jpg","aps":{"mutable-content":1}}
            """#,
            [
                "0 https://e.com/1.jpg - pt_img1", "1 https://e.com/2.jpg - pt_img2",
                "2 https://e.com/4.jpg - pt_img4",
            ]
        ),
        (
            .clevertap, #"{"pt_id":"pt_basic","pt_big_img":"https://e.com/a.jpg","aps":{}}"#,
            ["0 https://e.com/a.jpg - pt_big_img"]
        ),
        (
            .notifee,
            #"""
            {"aps":{"mutable-content":1},"notifee_options":{"image":"https://e.com/a.jpg",
             "ios":{"sound":"media/kick.wav","foregroundPresentationOptions":{"alert":true}}}}
            """#,
            ["0 https://e.com/a.jpg - notifee_options.image"]
        ),
        (
            .notifee,
            #"""
            {"aps":{},"notifee_options":{"ios":{"attachments":[
             {"id":"one","url":"https://e.com/a.jpg","thumbnailHidden":true},{"url":"https://e.com/b"}]}}}
            """#,
            [
                "one https://e.com/a.jpg - notifee_options.ios.attachments[0].url",
                "1 https://e.com/b - notifee_options.ios.attachments[1].url",
            ]
        ),
        (
            .mixpanel,
            #"{"aps":{"mutable-content":1},"mp_media_url":"https://e.com/a.gif","mp":{}}"#,
            ["0 https://e.com/a.gif - mp_media_url"]
        ),
        (
            .kumulos,
            #"{"aps":{},"attachments":{"pictureUrl":"https://e.com/a.jpg"},"custom":{"u":null}}"#,
            ["0 https://e.com/a.jpg - attachments.pictureUrl"]
        ),
        (
            .pinpoint,
            #"{"aps":{"mutable-content":1},"data":{"media-url":"https://e.com/a.jpg","pinpoint":{}}}"#,
            ["0 https://e.com/a.jpg - data.media-url"]
        ),
        (
            .homeassistant,
            #"""
            {"aps":{"mutable-content":1},"attachment":{"url":"https://e.com/a",
             "content-type":"jpeg","hide-thumbnail":false}}
            """#,
            ["0 https://e.com/a jpeg attachment.url"]
        ),
        (
            .ntfy,
            #"""
            {"aps":{"alert":{"title":"Door","body":"It opened"},"mutable-content":1},
             "id":"sPs71M8A2T","time":"1643935928","event":"message","topic":"door",
             "attachment_name":"door.jpg","attachment_type":"image/jpeg","attachment_size":"33848",
             "attachment_expires":"1643946728","attachment_url":"https://ntfy.sh/file/sPs71M8A2T.jpg"}
            """#,
            ["0 https://ntfy.sh/file/sPs71M8A2T.jpg image/jpeg attachment_url"]
        ),
        (
            .tutorial, #"{"aps":{},"data":{"attachment-url":"https://e.com/a.jpg"}}"#,
            ["0 https://e.com/a.jpg - data.attachment-url"]
        ),
        (
            .tutorial, #"{"aps":{},"media-url":"https://e.com/a.jpg"}"#,
            ["0 https://e.com/a.jpg - media-url"]
        ),
        (
            .tutorial, #"{"aps":{},"attachment_url":"https://e.com/a.jpg"}"#,
            ["0 https://e.com/a.jpg - attachment_url"]
        ),
        (
            .tutorial, #"{"aps":{},"urlImageString":"https://e.com/a.jpg"}"#,
            ["0 https://e.com/a.jpg - urlImageString"]
        ),
        (
            .pushwoosh, #"{"aps":{},"attachment":"https://e.com/a.jpg","p":"1f"}"#,
            ["0 https://e.com/a.jpg - attachment"]
        ),
    ]

    private func summary(_ references: [AttachmentReference]) -> [String] {
        references.map {
            "\($0.identifier) \($0.location) \($0.typeHint ?? "-") \($0.path?.description ?? "-")"
        }
    }

    @Test("Each style finds its attachment, by name and by auto", arguments: samples)
    func found(style: PayloadStyle, text: String, expected: [String]) throws {
        let payload = try payload(text)
        #expect(summary(payload.attachments(style)) == expected)
        #expect(summary(payload.attachments()) == expected)
        // ntfy's location has a key of tutorials too.
        let shared: Set = [PayloadStyle.ntfy.name, PayloadStyle.tutorial.name]
        for other in PayloadStyle.presets where other != style {
            guard
                expected.first?.hasSuffix(" attachment_url") != true || !shared.contains(other.name)
            else { continue }
            #expect(payload.attachments(other).isEmpty)
        }
    }

    @Test(
        "Each reported path reads back, and replacing it changes nothing else", arguments: samples)
    func replaced(style: PayloadStyle, text: String, expected: [String]) throws {
        let payload = try payload(text)
        let attachments = payload.attachments(style)
        try #require(attachments.count == expected.count)
        for attachment in attachments {
            let edit = payload.replacing(attachment, with: "https://cdn.example/\"é.jpg")
            #expect(edit.outcome == .complete && edit.explanation == nil)
            let spelled = #""https://cdn.example/\"é.jpg""#
            let path = try #require(attachment.path)
            let range = try #require(payload.document.range(at: path))
            var expected = Array(text.utf8)
            expected.replaceSubrange(range, with: Array(spelled.utf8))
            #expect(edit.payload.bytes == expected)
            #expect(
                edit.payload.attachments(style).contains {
                    $0.location == "https://cdn.example/\"é.jpg" && $0.path == path
                })
        }
    }

    @Test("Every preset has a sample and a unique name")
    func names() {
        for style in PayloadStyle.presets {
            #expect(Self.samples.contains { $0.0 == style })
            #expect(PayloadStyle(name: style.name) == style)
        }
        #expect(PayloadStyle(name: "auto") == .auto)
        #expect(PayloadStyle(name: "FCM") == nil && PayloadStyle(name: "a.b") == nil)
        #expect(Set(PayloadStyle.presets.map(\.name)).count == PayloadStyle.presets.count)
    }

    @Test("Auto uses the first of several in the documented order")
    func order() throws {
        let all = try payload(
            #"""
            {"image":"v","attachment":"u","media-url":"t","notifee_options":{"image":"o"},
             "mp_media_url":"p","attachments":{"pictureUrl":"q"},"data":{"media-url":"r"},
             "image_url":"n","attachment-url":"m",
             "moengage":{"media-attachment":"l"},"rich-media":"k","adb_media":"j",
             "CIO":{"push":{"image":"i"}},"_mediaUrl":"h","ct_mediaUrl":"g",
             "richContent":{"image":"f"},"att":{"x":"e"},
             "com.urbanairship.media_attachment":{"url":"d"},"ab":{"att":{"url":"c"}},
             "fcm_options":{"image":"b"},"thimble":{"media":"a"}}
            """#)
        #expect(all.attachments().map(\.location) == ["a"])
        #expect(
            PayloadStyle.presets.map { all.attachments($0).map(\.location).joined() }
                == [
                    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p",
                    "q", "r", "", "", "t", "u", "v",
                ])
    }

    @Test("JSON text on a path is read, and a new location changes no other byte of it")
    func jsonText() throws {
        let text = #"""
            {"aps":{},"notifee_options":"{\"image\" : \"https:\/\/e.com\/\u00e9.jpg\",\n\u0022t\":\"\ud83d\ude00\"}"}
            """#
        let payload = try payload(text)
        let found = payload.attachments()
        #expect(summary(found) == ["0 https://e.com/é.jpg - notifee_options.image"])
        let edit = payload.replacing(found[0], with: "https://e.com/è\"😀")
        #expect(edit.outcome == .complete)
        // The first differing character, the last but one equal one, and all between them are new.
        let expected = text.replacing(
            #"\u00e9.jpg\","#, with: #"è\\\"😀\","#)
        #expect(edit.payload.text == expected)
        #expect(edit.payload.attachments().map(\.location) == ["https://e.com/è\"😀"])
        let options = try #require(edit.payload.document.document(at: path("notifee_options")))
        #expect(options.value(at: try path("t"))?.string == "😀")
        for other in [#"{"image":7}"#, "[", #"https://{"image":"x"}"#, #" {"image":"#, "{}x", ""] {
            let spelled = String(decoding: try JSONValue.string(other).encoded(), as: UTF8.self)
            #expect(
                try self.payload(#"{"aps":{},"notifee_options":\#(spelled)}"#).attachments().isEmpty
            )
        }
    }

    private func payload(_ text: String) throws -> APNsPayload {
        try APNsPayload(parsing: text.utf8)
    }

    @Test("White space around a URL is not part of it, and that of a file's name is")
    func spaces() throws {
        for (text, location) in [
            (" https://e.com/a.jpg\n", "https://e.com/a.jpg"), ("\tfile:///a b ", "file:///a b"),
            (" a.jpg ", " a.jpg "), ("https://e.com/a b", "https://e.com/a b"), ("  ", "  "),
        ] {
            let spelled = String(decoding: try JSONValue.string(text).encoded(), as: UTF8.self)
            let payload = try payload(#"{"fcm_options":{"image":\#(spelled)}}"#)
            let found = payload.attachments()
            #expect(found.map(\.location) == [location])
            let edit = payload.replacing(found[0], with: "https://c/x")
            #expect(edit.payload.text == #"{"fcm_options":{"image":"https://c/x"}}"#)
        }
    }

    @Test("A custom path accepts every shape")
    func ownPath() throws {
        let own = try payload(
            #"""
            {"a":{"b":[{"c":"one"},{"c":["two",{"url":"three","id":"x","type":"png"},7,{"u":1}]}],
             "d.e":{"first":"four","second":"five","third":6},"f":{"url":"seven"},"g":null}}
            """#)
        func locations(_ text: String) throws -> [String] {
            try own.attachments(.path(path(text))).map { "\($0.identifier) \($0.location)" }
        }
        #expect(try locations("a.b[0].c") == ["0 one"])
        #expect(try locations("a.b[1].c") == ["0 two", "x three"])
        #expect(try locations(#"a.d\.e"#) == ["first four", "second five"])
        #expect(try locations(#"a.d\.e.second"#) == ["0 five"])
        #expect(try locations("a.f") == ["0 seven"])
        for nothing in ["a.g", "a.b[2]", "a.b.c", "b", "a.b[0].c[0]"] {
            #expect(try locations(nothing) == [])
        }
    }

    @Test("Empty strings and other shapes are ignored, and the last of duplicates counts")
    func nothing() throws {
        for text in [
            #"{"fcm_options":{"image":""},"ct_mediaUrl":7,"_mediaUrl":null,"attachment":{}}"#,
            #"{"com.urbanairship.media_attachment":{"url":{},"urls":[{"url":{}}]},"att":"x"}"#,
            #"{"fcm_options":"x","ab":[],"os_data":{"att":[]},"richContent":{"image":true}}"#,
            "{}",
        ] { #expect(try payload(text).attachments().isEmpty) }
        let twice = try payload(#"{"att":{"a":"first","b":"x","a":"last"}}"#)
        #expect(twice.attachments(.onesignal).map(\.location) == ["x", "last"])
        let edited = twice.replacing(twice.attachments(.onesignal)[1], with: "new")
        #expect(edited.payload.text == #"{"att":{"a":"first","b":"x","a":"new"}}"#)
    }

    @Test(
        "The scheme determines the kind of location",
        arguments: [
            ("/a/b c.jpg", .localPath, "/a/b c.jpg"), ("a:b.jpg", .localPath, "a:b.jpg"),
            ("pictures/a%20b.jpg", .localPath, "pictures/a%20b.jpg"),
            ("file:///a/b%20c.jpg", .fileURL, "/a/b c.jpg"),
            ("FILE://localhost/a.jpg?x#y", .fileURL, "/a.jpg"), ("file:/a.jpg", .fileURL, "/a.jpg"),
            ("file://server/a.jpg", .fileURL, nil), ("file:///a%00b", .fileURL, nil),
            ("file:///a%ZZ", .fileURL, nil), ("file:", .fileURL, nil),
            ("https://e.com/a:b.jpg", .remoteURL, nil), ("HTTP://e.com", .remoteURL, nil),
            ("data:image/png;base64,AA==", .remoteURL, nil), ("s3+x.y-z://a", .remoteURL, nil),
            ("é://a", .localPath, "é://a"), ("1x://a", .localPath, "1x://a"), ("", .localPath, nil),
        ] as [(String, AttachmentReference.Kind, String?)])
    func kinds(location: String, kind: AttachmentReference.Kind, path: String?) {
        let reference = AttachmentReference(identifier: "x", location: location)
        #expect(reference.kind == kind)
        #expect(reference.localPath == path)
        #expect(reference.description == "attachment at a \(kind.rawValue)")
    }
}
