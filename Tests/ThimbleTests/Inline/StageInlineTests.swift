import AttachmentContainer
import Foundation
import NotificationPayload
import Testing

@Suite("thimble stage --inline", .timeLimit(.minutes(5)))
struct StageInlineTests {
    private static func payload(_ body: String, image: String = "Images/lake-baseline.jpg")
        -> String
    {
        #"{"aps":{"alert":{"title":"Lake","body":"\#(body)"},"mutable-content":1},"attachment":"\#(image)"}"#
    }

    private static func stage(_ options: String, _ lines: [String], in folder: URL) throws
        -> (outputs: [APNsPayload], errors: String, code: Int32)
    {
        try Data(lines.joined(separator: "\n").utf8)
            .write(to: folder.appending(path: "in.ndjson"))
        let run = try Command.shell(
            "thimble stage --container C --allow-root Images \(options) < in.ndjson", in: folder)
        let outputs = try run.output.split(separator: "\n").map { line in
            try APNsPayload(parsing: line.utf8)
        }
        return (outputs, run.errors, run.code)
    }

    @Test(
        "The note has the picture, and no payload is over the limit",
        arguments: ["if-room", "always"])
    func room(rule: String) throws {
        try WorkingFolder.with { folder in
            let lengths = [0, 700, 1400, 1401, 1402, 1403, 2100]
            let lines = lengths.map { Self.payload(String(repeating: "x", count: $0)) }
            let run = try Self.stage("--inline \(rule)", lines, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            try #require(run.outputs.count == lengths.count)
            var sizes: [Int] = []
            for output in run.outputs {
                #expect(output.size <= 4096)
                let note = try #require(output.note)
                #expect(note.outcome == .rendition && note.identifier != nil)
                let picture = try #require(note.picture, "\(output.size)")
                #expect(max(picture.width, picture.height) == 180)
                #expect(!picture.coding.contains(.fullChroma))
                sizes.append(picture.bytes.count)
            }
            #expect(sizes[0] > 2000 && sizes[0] > sizes[1] && sizes[1] > sizes[2])
            // Payloads of similar lengths share a picture.
            #expect(Set(run.outputs[2...4].map(\.note?.inlinePicture)).count <= 2)
        }
    }

    @Test("The picture inside decodes to the colours of the picture")
    func colours() throws {
        try WorkingFolder.with { folder in
            let run = try Self.stage(
                "--inline if-room",
                [Self.payload("x"), Self.payload("x", image: "Images/still-life.png")], in: folder)
            for (index, output) in run.outputs.enumerated() {
                let note = try #require(output.note)
                let picture = try #require(note.picture)
                try Data(picture.file).write(to: folder.appending(path: "\(index).avif"))
                let again = try Self.stage(
                    "--allow-root .", [Self.payload("y", image: "\(index).avif")], in: folder)
                let shown = try #require(again.outputs.first?.note)
                #expect(shown.rendition?.width == picture.width)
                #expect(shown.rendition?.height == picture.height)
                let (one, other) = (
                    try #require(note.averageColour.flatMap { Colour(rawValue: $0) }),
                    try #require(shown.averageColour.flatMap { Colour(rawValue: $0) })
                )
                let parts = [
                    (one.red, other.red), (one.green, other.green), (one.blue, other.blue),
                ]
                #expect(parts.allSatisfy { abs(Int($0) - Int($1)) <= 6 }, "\(one) \(other)")
            }
        }
    }

    @Test("Without room, if-room says so in a remark, and always in the exit code")
    func noRoom() throws {
        try WorkingFolder.with { folder in
            let long = [Self.payload(String(repeating: "x", count: 3100))]
            let ifRoom = try Self.stage("--inline if-room", long, in: folder)
            #expect(ifRoom.code == 0 && ifRoom.errors.contains("no inline picture"))
            #expect(ifRoom.outputs[0].note?.picture == nil)
            #expect(ifRoom.outputs[0].note?.outcome == .rendition)
            // The other fields of the note leave.
            let always = try Self.stage("--inline always", long, in: folder)
            #expect(always.code == 0, "\(always.errors)")
            #expect(always.outputs[0].note?.picture != nil)
            #expect(always.outputs[0].note?.placeholder == nil)
            #expect(always.outputs[0].size <= 4096)
            let longer = [Self.payload(String(repeating: "x", count: 3900))]
            let none = try Self.stage("--inline always", longer, in: folder)
            #expect(none.code == 3 && none.errors.contains("[no-room]"), "\(none.errors)")
            #expect(none.outputs[0].note?.picture == nil && none.outputs[0].size <= 4096)
        }
    }

    @Test("With only, the payload keeps its location, and its note has nothing else to fetch")
    func only() throws {
        try WorkingFolder.with { folder in
            let run = try Self.stage(
                "--inline only --publish-url https://e.com/r --report json", [Self.payload("x")],
                in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let output = try #require(run.outputs.first)
            let text = String(decoding: output.bytes, as: UTF8.self)
            #expect(text.contains(#""attachment":"Images/lake-baseline.jpg""#))
            #expect(!text.contains("https://e.com"))
            let note = try #require(output.note)
            #expect(note.picture != nil && note.identifier == nil && note.rendition == nil)
            #expect(note.contentSizeRatio != nil)
            #expect(run.errors.contains(#""inlineBytes":"#))
        }
    }

    @Test("A message for Android gets the picture where its note is")
    func firebase() throws {
        try WorkingFolder.with { folder in
            let request =
                #"{"message":{"token":"t","notification":{"title":"a","body":"b","#
                + #""image":"Images/lake-baseline.jpg"},"data":{"k":"v"}}}"#
            let run = try Self.stage("--inline if-room", [request], in: folder)
            let output = try #require(run.outputs.first)
            #expect(output.size <= 4096)
            if output.note != nil {
                #expect(output.note?.picture != nil, "\(run.errors)")
            } else {
                #expect(run.errors.contains("no inline picture"), "\(run.errors)")
            }
        }
    }

    @Test("A picture that no payload may have is an error of the settings")
    func withoutNote() throws {
        try WorkingFolder.with { folder in
            let run = try Self.stage("--inline only --no-note", [Self.payload("x")], in: folder)
            #expect(run.code != 0 && run.errors.contains("inline"), "\(run.errors)")
        }
    }
}
