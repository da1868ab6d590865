import AttachmentContainer
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Stills that are being written", .serialized, .timeLimit(.minutes(2)))
struct UnfinishedStillTests {
    private let fixture: PrivateDeliveryFixture

    init() throws { fixture = try PrivateDeliveryFixture() }

    private static func end(of file: Data, step: Int) -> JPEGEnd {
        var end = JPEGEnd()
        for start in stride(from: 0, to: file.count, by: step) {
            end.add(Data(file[start..<min(start + step, file.count)]))
        }
        return end
    }

    /// Counts requests, whose replies depend on their number from 1.
    private static func server(
        _ reply: @escaping @Sendable (Int) -> LoopbackServer.Reply
    ) throws -> (server: LoopbackServer, count: @Sendable () -> Int) {
        let count = Lock(0)
        let server = try LoopbackServer { _ in
            reply(
                count.withLock {
                    $0 += 1
                    return $0
                })
        }
        return (server, { count.withLock(\.self) })
    }

    @Test("The end of a JPEG is found, however it arrives", arguments: [1, 7, 4096, 1 << 20])
    func end(step: Int) throws {
        let photograph = try fixture.photograph
        #expect(Self.end(of: photograph, step: step).length == photograph.count)
        let trailing = photograph + Data([0xFF, 0xD9, 0, 1])
        #expect(Self.end(of: trailing, step: step).length == photograph.count)
    }

    @Test("No beginning of a JPEG has an end, not even after a preview in Exif")
    func beginnings() throws {
        let preview = Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9])
        let photograph = try fixture.photograph
        let file =
            photograph.prefix(2) + Data([0xFF, 0xE1, 0, UInt8(preview.count + 2)]) + preview
            + photograph.dropFirst(2)
        for count in [1, 2, 3, 12, 40] + Array(stride(from: 97, to: file.count, by: 977)) {
            #expect(Self.end(of: Data(file.prefix(count)), step: 512).progress == .unfinished)
        }
        #expect(Self.end(of: file, step: 512).length == file.count)
    }

    @Test("Other formats and invalid markers are no unfinished JPEGs")
    func others() {
        let files: [[UInt8]] = [
            [], [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xFF], [0xFF, 0xD8, 0x00],
            [0xFF, 0xD8, 0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0xE0, 0, 1],
            [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD8],
        ]
        for file in files {
            #expect(Self.end(of: Data(file), step: 1).progress == .otherFormat, "\(file)")
        }
    }

    @Test("A snapshot is asked for again until it is whole")
    func growing() async throws {
        let photograph = try fixture.photograph
        let (server, count) = try Self.server { number in
            let part = number < 3 ? photograph.count * number / 3 : photograph.count
            return .answer(status: 200, body: Data(photograph.prefix(part)))
        }
        let answer = try await fixture.answer(.request(PictureRequest(server.url("door.jpg"))))
        #expect(answer.outcome.kind == .rendition && answer.reasons.isEmpty, "\(answer.reasons)")
        #expect(answer.outcome.manifest?.source.sha256 == ContentDigest(of: photograph))
        #expect(count() == 3)
        #expect(try fixture.incoming == [answer.picture?.lastPathComponent])
    }

    @Test("A connection lost within a JPEG is no end, and the picture is asked for again")
    func lost() async throws {
        let photograph = try fixture.photograph
        let (server, count) = try Self.server { number in
            .cut(after: number == 1 ? 5000 : photograph.count, body: photograph)
        }
        let answer = try await fixture.answer(.request(PictureRequest(server.url("door.jpg"))))
        #expect(answer.outcome.kind == .rendition && answer.reasons.isEmpty, "\(answer.reasons)")
        #expect(count() == 2)
    }

    @Test("A JPEG that never gets its end is decoded as it is, with the reason")
    func never() async throws {
        let part = Data(try fixture.photograph.prefix(20_000))
        let (server, count) = try Self.server { _ in .answer(status: 200, body: part) }
        let answer = try await fixture.answer(.request(PictureRequest(server.url("door.jpg"))))
        let codes = answer.reasons.map(\.code.rawValue)
        #expect(codes.first == "download-not-ready" && codes.contains("truncated"), "\(codes)")
        // After pauses of half a second, one second and two, three seconds have passed without growth.
        #expect((2...4).contains(count()))
        #expect(try fixture.incoming == [answer.picture?.lastPathComponent].compactMap(\.self))
    }

    @Test("A source that does not wait gets its part at once")
    func impatient() async throws {
        let part = Data(try fixture.photograph.prefix(20_000))
        let (server, count) = try Self.server { _ in .answer(status: 200, body: part) }
        let answer = try await fixture.answer(
            .request(PictureRequest(server.url("door.jpg"), waitsUntilReady: false)))
        #expect(answer.reasons.contains { $0.code.rawValue == "truncated" }, "\(answer.reasons)")
        #expect(count() == 1)
    }

    @Test("A response without a length ends with its JPEG, though the connection stays open")
    func open() async throws {
        let photograph = try fixture.photograph
        let (server, count) = try Self.server { _ in
            .stream(headers: ["Content-Type: image/jpeg"], body: photograph)
        }
        let answer = try await fixture.answer(.request(PictureRequest(server.url("door.jpg"))))
        #expect(answer.outcome.kind == .rendition && answer.reasons.isEmpty, "\(answer.reasons)")
        #expect(answer.outcome.manifest?.source.sha256 == ContentDigest(of: photograph))
        #expect(count() == 1)
    }

    @Test(
        "A file that another process writes is waited for, and stays where it is",
        arguments: [false, true])
    func file(isSealed: Bool) async throws {
        let fixture = try PrivateDeliveryFixture(sealedBy: isSealed ? .random() : nil)
        let photograph = try fixture.photograph
        let file = fixture.folder.url.appendingPathComponent("snapshot.jpg")
        try Data(photograph.prefix(photograph.count / 2)).write(to: file)
        let writer = Task {
            try await Task.sleep(for: .seconds(1))
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            try handle.write(contentsOf: photograph.suffix(from: photograph.count / 2))
            try handle.close()
        }
        let answer = try await fixture.answer(.file(file))
        try await writer.value
        let manifest = try #require(answer.outcome.manifest, "\(answer.reasons)")
        // A sealed picture is not attached, which is a reason.
        #expect(answer.reasons.map(\.code) == (isSealed ? [.sealed] : []))
        #expect(manifest.isSealed == isSealed)
        #expect(isSealed || manifest.source.sha256 == ContentDigest(of: photograph))
        let clear = try await PrivateDeliveryFixture().answer(.data(photograph))
        #expect(manifest.placeholder == clear.outcome.manifest?.placeholder)
        #expect(try Data(contentsOf: file) == photograph)
    }
}
