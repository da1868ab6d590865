import AttachmentContainer
import Foundation
import NotificationPayload
import NotificationStaging
import OriginServer
import Testing

@Suite("Limits of pictures inside payloads", .timeLimit(.minutes(2)))
struct InlineLimitTests {
    private static func document(_ picture: URL, body: Int) throws -> JSONDocument {
        let text = String(repeating: "x", count: body)
        return try JSONDocument(
            parsing: #"{"aps":{"alert":"\#(text)"},"attachment":"\#(picture.path)"}"#.utf8)
    }

    @Test("A full payload has exactly 4,096 bytes or one less, and never one more")
    func limit() async throws {
        try await InlineStage.with(FillingEncoder()) { stager, picture in
            var sizes: Set<Int> = []
            // Rooms below 900 bytes are used to the last one.
            for body in 2530..<2570 {
                let staged = try await stager.stage(try Self.document(picture, body: body))
                #expect(staged.inlinePicture != nil, "\(staged.notes)")
                #expect(staged.payload.bytes.count == staged.payload.size)
                sizes.insert(staged.payload.bytes.count)
            }
            #expect(sizes == [4095, 4096])
        }
    }

    @Test(
        "A stand-in of APNs accepts payloads of every style, up to exactly its limit",
        arguments: [("alert", 4096), ("voip", 5120)])
    func accepted(pushType: String, limit: Int) async throws {
        let service = try PushService()
        try await InlineStage.with(limit: limit, rule: .always, FillingEncoder()) {
            stager, picture in
            for (style, sample) in StyledPayload.all {
                // Rooms below 900 bytes are used to the last one.
                for padding in 0..<4 {
                    let text = String(repeating: "x", count: limit - 1500 + padding)
                    let document = try sample.document(picture, alert: text)
                    let staged = try await stager.stage(document)
                    #expect(staged.inlinePicture != nil, "\(style.name): \(staged.notes)")
                    let status = try service.send(staged.payload.bytes, pushType: pushType)
                    #expect(status == 200, "\(style.name), \(staged.payload.size) bytes")
                }
            }
        }
        let sizes = service.accepted
        #expect(sizes.count == 4 * PayloadStyle.presets.count && sizes.max() == limit)
        // The stand-in counts: one byte more is refused.
        let over = Array(#"{"aps":{},"a":""#.utf8)
        let rest = [UInt8](repeating: UInt8(ascii: "x"), count: limit + 1 - over.count - 2)
        #expect(try service.send(over + rest + Array(#""}"#.utf8), pushType: pushType) == 413)
    }

    @Test("The state of a Live Activity has room for an inline picture of 2,600 bytes")
    func activity() throws {
        let page = Command.package
            .appending(path: "Examples/Documentation/Thimble.docc/LiveActivities.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "```json\n"))
        let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
        let frame = [UInt8](repeating: 0, count: 2600 - InlinePicture.headerBytes)
        let picture = try InlinePicture(bytes: [1, 6, 179, 134] + frame)
        let update = text[start.upperBound..<end.lowerBound]
            .replacingOccurrences(of: "order-1042", with: picture.text)
        let payload = try APNsPayload(parsing: update.utf8)
        // ActivityKit: 4 KB for the state, and APNs: 4,096 bytes for the payload.
        #expect(payload.size <= APNsPayload.maximumSize - 300)
        let service = try PushService()
        #expect(try service.send(payload.bytes, pushType: "liveactivity") == 200)
    }

    @Test("Payloads of every length stay within the limit")
    func lengths() async throws {
        try await InlineStage.with(
            FillingEncoder(),
            { stager, picture in
                for body in stride(from: 0, to: 4000, by: 37) {
                    let document = try Self.document(picture, body: body)
                    let staged = try await stager.stage(document)
                    #expect(staged.payload.bytes.count <= max(4096, document.bytes.count))
                }
            })
    }

    @Test("A worker's picture that is longer than ordered is refused, and the payload is intact")
    func longer() async throws {
        try await InlineStage.with(rule: .always, FillingEncoder(excess: 1)) { stager, picture in
            let staged = try await stager.stage(try Self.document(picture, body: 100))
            #expect(staged.inlinePicture == nil && staged.inlineFailure != nil)
            #expect(staged.payload.note?.identifier != nil)
            #expect(staged.payload.size <= 4096)
        }
    }

    @Test("Without an encoder or a note, the rule is an error of the settings")
    func settings() throws {
        var settings = StagingSettings()
        settings.inline = .always
        settings.addsNote = false
        let error = #expect(throws: SettingsError.self) { try settings.validate() }
        #expect(error?.field == "inline")
    }
}
