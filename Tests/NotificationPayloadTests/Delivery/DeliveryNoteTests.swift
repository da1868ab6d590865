import NotificationPayload
import Testing

@Suite("Delivery notes", .timeLimit(.minutes(1)))
struct DeliveryNoteTests {
    private static let full = DeliveryNote(
        outcome: .lowerRung, reason: "over-cap", identifier: "order-1", contentSizeRatio: 2.0 / 3,
        placeholder: "3PcNNYSFeXh/k3casIWYl3iFuA==", averageColour: "#c85028",
        rendition: DeliveryNote.Rendition(
            file: "ab/abcd.jpg", type: "public.jpeg", bytes: 60_311, width: 1320, height: 880),
        others: [
            DeliveryNote(
                outcome: .rendition, index: 2, identifier: "order-2",
                rendition: DeliveryNote.Rendition(file: "cd/cdef.gif", type: "com.compuserve.gif"))
        ])

    private static let written =
        #"{"outcome":"lower-rung","reason":"over-cap","id":"order-1","ratio":0.6667,"#
        + #""rendition":"ab/abcd.jpg","type":"public.jpeg","width":1320,"height":880,"#
        + #""bytes":60311,"others":[{"outcome":"rendition","index":2,"id":"order-2","#
        + #""rendition":"cd/cdef.gif","type":"com.compuserve.gif"}],"#
        + ##""colour":"#c85028","placeholder":"3PcNNYSFeXh/k3casIWYl3iFuA=="}"##

    /// A payload of an exact size.
    private func padded(to bytes: Int) throws -> APNsPayload {
        let frame = #"{"aps":{"alert":""}}"#
        let filling = String(repeating: "x", count: bytes - frame.utf8.count)
        return try payload(frame.replacing(#""""#, with: "\"\(filling)\""))
    }

    @Test("A note is added at the end and survives a round trip")
    func added() throws {
        for (text, expected) in [
            ("{}", "{\"thimble\":NOTE}"),
            (#"{"aps":{"n":1.0}}"#, #"{"aps":{"n":1.0},"thimble":NOTE}"#),
            ("{ \"aps\" : {}\n}", "{ \"aps\" : {},\"thimble\":NOTE\n}"),
        ] {
            let edit = try payload(text).adding(Self.full)
            #expect(edit.outcome == .complete && edit.omitted.isEmpty && edit.explanation == nil)
            #expect(edit.payload.text == expected.replacing("NOTE", with: Self.written))
            var rounded = Self.full
            rounded.contentSizeRatio = 0.6667
            #expect(edit.payload.note == rounded)
            #expect(edit.payload.adding(Self.full).payload == edit.payload)
        }
        let least = try payload("{}").adding(DeliveryNote(outcome: .withoutPicture))
        #expect(least.payload.text == #"{"thimble":{"outcome":"without-picture"}}"#)
        #expect(least.payload.note == DeliveryNote(outcome: .withoutPicture))
    }

    @Test("Other members of the object stay byte for byte, and an earlier note is replaced")
    func kept() throws {
        let edit = try payload(
            #"""
            {"thimble" : { "media" : "a.jpg", "placeholder":"old", "mine" :  [1.0, 1e3],
             "id":"x", "\u006dine":"twice", "outcome":"old" } , "z":1.0}
            """#
        ).adding(DeliveryNote(outcome: .original, identifier: "x"))
        #expect(
            edit.payload.text
                == #"{"thimble" : {"media" : "a.jpg","mine" :  [1.0, 1e3],"\u006dine":"twice","#
                + #""outcome":"original","id":"x"} , "z":1.0}"#)
        #expect(edit.payload.attachments().map(\.location) == ["a.jpg"])
        #expect(edit.payload.identifier() == "x")
    }

    @Test(
        "A payload with a different value at the key is not changed",
        arguments: [#"{"thimble":"mine"}"#, #"{"thimble":{},"thimble":[1]}"#, #"{"thimble":null}"#])
    func occupied(text: String) throws {
        let edit = try payload(text).adding(Self.full)
        #expect(edit.outcome == .occupied && edit.payload.text == text)
        #expect(edit.explanation != nil && edit.payload.note == nil)
    }

    @Test("A note may fill the payload to exactly 4096 bytes")
    func boundary() throws {
        let frame = #","thimble":"#.utf8.count
        let exact = try padded(to: 4096 - frame - Self.written.utf8.count)
        let full = exact.adding(Self.full)
        #expect(full.outcome == .complete && full.payload.size == 4096)

        let oneMore = try padded(to: exact.size + 1)
        let reduced = oneMore.adding(Self.full)
        #expect(reduced.outcome == .reduced && reduced.omitted == [.placeholder])
        #expect(reduced.payload.size <= 4096 && reduced.payload.note?.averageColour == "#c85028")
        #expect(
            reduced.explanation == "to stay within 4096 bytes the payload omits placeholder")

        let voip = oneMore.adding(Self.full, limit: APNsPayload.maximumVoIPSize)
        #expect(voip.outcome == .complete && voip.payload.size == 4097)
    }

    @Test("Fields are omitted in a fixed order, then the whole note, and nothing else changes")
    func order() throws {
        var seen: [[DeliveryNote.Field]] = []
        // The note has no picture of its own.
        let all = DeliveryNote.Field.allCases.filter { $0 != .inlinePicture }
        for size in 3_600...4_100 {
            let original = try padded(to: size)
            let edit = original.adding(Self.full)
            #expect(edit.payload.size <= max(4096, size))
            #expect(edit.payload.text.hasPrefix(original.text.dropLast()))
            switch edit.outcome {
            case .complete, .reduced:
                #expect(edit.omitted == Array(all.prefix(edit.omitted.count)))
                #expect(edit.payload.note?.outcome == .lowerRung)
            case .noRoom:
                #expect(edit.payload == original && edit.omitted == all)
            case .alreadyTooLarge:
                #expect(edit.payload == original && size > 4096 && edit.omitted.isEmpty)
                #expect(edit.explanation?.contains("\(size) bytes") == true)
            case .occupied: Issue.record("the key is absent")
            }
            if seen.last != edit.omitted { seen.append(edit.omitted) }
        }
        #expect(seen == (0...all.count).map { Array(all.prefix($0)) } + [[]])
    }

    @Test(
        "The note may have another path, whose missing objects are created",
        arguments: [
            ("note", "{}", #"{"note":NOTE}"#),
            ("data.note", #"{"data":{"n":1.0}, "z":2}"#, #"{"data":{"n":1.0,"note":NOTE}, "z":2}"#),
            ("a.b.c", #"{"aps":{}}"#, #"{"aps":{},"a":{"b":{"c":NOTE}}}"#),
            ("a.b.c", #"{"a":{ }}"#, #"{"a":{"b":{"c":NOTE} }}"#),
            (
                "a.b", #"{"a":{"b":{"id":"old","mine":1}},"thimble":{"media":"x"}}"#,
                #"{"a":{"b":{"mine":1,NOTE}},"thimble":{"media":"x"}}"#
            ),
        ])
    func moved(path: String, text: String, expected: String) throws {
        let path = try JSONPath(parsing: path)
        let note = Self.written
        let edit = try payload(text).adding(Self.full, at: path)
        #expect(edit.outcome == .complete)
        #expect(
            edit.payload.text
                == expected.replacing(",NOTE", with: "," + note.dropFirst().dropLast())
                .replacing("NOTE", with: note))
        #expect(edit.payload.note(at: path)?.rendition == Self.full.rendition)
        #expect(edit.payload.note(at: path)?.others == Self.full.others)
        #expect(edit.payload.note == nil)
        #expect(edit.payload.adding(Self.full, at: path).payload == edit.payload)
    }

    @Test("A path through other values, with an index, or into aps is not used")
    func unsuitable() throws {
        for (path, text) in [
            ("a.b", #"{"a":"x"}"#), ("a", #"{"a":[]}"#), ("a[0]", #"{"a":[{}]}"#),
            ("aps.note", "{}"), ("aps", "{}"),
        ] {
            let edit = try payload(text).adding(Self.full, at: JSONPath(parsing: path))
            #expect(edit.outcome == .occupied && edit.payload.text == text)
        }
        #expect(JSONPath(keys: "a", "aps").isNotePath && !JSONPath([]).isNotePath)
    }

    @Test("Readers of a note ignore what they do not know, and notes on others that are invalid")
    func reading() throws {
        let read = try payload(
            #"{"thimble":{"outcome":"new","index":"x","others":[7,{"id":"x"},{"outcome":"y"}],"#
                + #""rendition":"a","type":"b","bytes":1e2,"width":1.5,"later":{}}}"#
        ).note
        let rendition = DeliveryNote.Rendition(file: "a", type: "b", bytes: 100)
        #expect(
            read
                == DeliveryNote(
                    outcome: .init(rawValue: "new"), rendition: rendition,
                    others: [DeliveryNote(outcome: .init(rawValue: "y"))]))
    }

    @Test("A note hides no attachment from a reader of the payload")
    func attachmentsStay() throws {
        let original = try payload(#"{"fcm_options":{"image":"https://e.com/a.jpg"}}"#)
        let before = original.content(identifier: "x").attachments
        for note in [Self.full, DeliveryNote(outcome: .withoutPicture, reason: "missing")] {
            let noted = original.adding(note).payload
            #expect(noted.content(identifier: "x").attachments == before)
        }
    }

    @Test("A location that does not fit is not replaced")
    func replacing() throws {
        let text = #"{"attachment":"a.jpg"}"#
        let payload = try payload(text)
        let attachment = try #require(payload.attachments().first)
        #expect(payload.replacing(attachment, with: "b.jpg", limit: 22).outcome == .complete)
        let noRoom = payload.replacing(attachment, with: "bb.jpg", limit: 22)
        #expect(noRoom.outcome == .noRoom && noRoom.payload == payload)
        #expect(noRoom.missing == 1)
        let tooLarge = payload.replacing(attachment, with: "b.jpg", limit: 21)
        #expect(tooLarge.outcome == .alreadyTooLarge && tooLarge.payload == payload)
        #expect(tooLarge.missing == 1)
        // A shorter location may bring a payload within the limit.
        #expect(payload.replacing(attachment, with: "b", limit: 21).outcome == .complete)
        for unrelated in [
            AttachmentReference(identifier: "0", location: "a.jpg"),
            AttachmentReference(
                identifier: "0", location: "a.jpg", path: JSONPath(keys: "elsewhere")),
            AttachmentReference(
                identifier: "0", location: "other.jpg", path: JSONPath(keys: "attachment")),
        ] {
            let edit = payload.replacing(unrelated, with: "b.jpg")
            #expect(edit.outcome == .occupied && edit.payload == payload)
        }
    }

    @Test(
        "An invalid ratio is not written",
        arguments: [0, -1, .infinity, .nan, 0.000_01] as [Double])
    func ratios(ratio: Double) throws {
        let note = DeliveryNote(outcome: .original, contentSizeRatio: ratio)
        #expect(
            try payload("{}").adding(note).payload.text == #"{"thimble":{"outcome":"original"}}"#)
    }

    @Test("A note's description shows no identifier")
    func privacy() {
        #expect("\(Self.full)" == "lower-rung: over-cap")
        #expect("\(DeliveryNote(outcome: .original))" == "original")
    }
}
