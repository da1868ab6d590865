import AttachmentContainer
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import Randomness
import Testing

@Suite("Cameras", .serialized, .timeLimit(.minutes(1)))
struct StreamFramesTests {
    private let fixture: PrivateDeliveryFixture

    init() throws { fixture = try PrivateDeliveryFixture() }

    /// A stream of parts, with a length in each head or without.
    private static func stream(
        _ parts: [Data], boundary: String = "--frame", hasLengths: Bool = true,
        lineBreak: String = "\r\n"
    ) -> Data {
        parts.reduce(into: Data("preamble\(lineBreak)".utf8)) { stream, part in
            let length = hasLengths ? "Content-Length: \(part.count)\(lineBreak)" : ""
            stream += Data(
                "\(boundary)\(lineBreak)Content-Type: image/jpeg\(lineBreak)\(length)\(lineBreak)"
                    .utf8)
            stream += part + Data(lineBreak.utf8)
        }
    }

    /// A file with the markers of a JPEG around a scan, without a delimiter in it.
    private static func frame(_ count: Int, fill: UInt8) -> Data {
        Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2]) + Data(repeating: fill, count: count)
            + Data([0xFF, 0xD9])
    }

    private static func first(
        of stream: Data, type: String = "multipart/x-mixed-replace; boundary=frame", step: Int
    ) -> Data? {
        guard var frames = StreamFrames(contentType: type) else { return nil }
        for start in stride(from: 0, to: stream.count, by: step) {
            if let frame = frames.add(Data(stream[start..<min(start + step, stream.count)])) {
                return frame
            }
        }
        return frames.endPart()
    }

    @Test(
        "The first whole frame is found, however the stream arrives",
        arguments: [1, 7, 100, 100_000])
    func whole(step: Int) {
        let (one, two) = (Self.frame(500, fill: 1), Self.frame(600, fill: 2))
        let cut = Data(one.prefix(300))
        for hasLengths in [true, false] {
            for lineBreak in ["\r\n", "\n"] {
                let stream = Self.stream(
                    [cut, Data(), Data("no picture".utf8), two, one], hasLengths: hasLengths,
                    lineBreak: lineBreak)
                #expect(Self.first(of: stream, step: step) == two)
                // The last part has no delimiter after it.
                let last = Self.stream([cut, one], hasLengths: hasLengths, lineBreak: lineBreak)
                #expect(Self.first(of: last, step: step) == one)
            }
        }
    }

    @Test(
        "Boundaries as cameras write them are understood",
        arguments: [
            ("multipart/x-mixed-replace;boundary=frame", "--frame"),
            ("Multipart/X-Mixed-Replace; charset=x; Boundary=\"frame\"", "--frame"),
            ("multipart/x-mixed-replace; boundary=--frame", "--frame"),
            ("multipart/x-mixed-replace; boundary=--frame", "----frame"),
        ])
    func boundaries(type: String, delimiter: String) {
        let frame = Self.frame(400, fill: 3)
        let stream = Self.stream([frame, frame], boundary: delimiter, hasLengths: false)
        #expect(Self.first(of: stream, type: type, step: 64) == frame)
    }

    @Test(
        "Parts that the system separates need no delimiter, with a boundary in the response or without",
        arguments: ["multipart/x-mixed-replace; boundary=frame", "multipart/x-mixed-replace"])
    func separated(type: String) throws {
        let (one, two) = (Self.frame(500, fill: 1), Self.frame(600, fill: 2))
        var frames = try #require(StreamFrames(contentType: type))
        var found: [Data?] = []
        for part in [Data(one.prefix(300)), two + Data("\r\n".utf8), one] {
            found.append(frames.beginPart())
            for start in stride(from: 0, to: part.count, by: 100) {
                #expect(frames.add(Data(part[start..<min(start + 100, part.count)])) == nil)
            }
        }
        #expect(found == [nil, nil, two])
        #expect(frames.endPart() == one)
    }

    @Test("Damaged streams give a whole frame or none")
    func damaged() {
        var random = SplitMix64(seed: 7)
        let frames = [Self.frame(300, fill: 6), Self.frame(200, fill: 7)]
        for number in 0..<2_000 {
            var stream = Self.stream(frames, hasLengths: number % 2 == 0)
            for _ in 0...random.below(6) {
                stream[random.below(stream.count)] = UInt8(random.below(256))
            }
            stream = Data(stream.prefix(1 + random.below(stream.count)))
            guard let frame = Self.first(of: stream, step: 1 + random.below(200)) else { continue }
            #expect(frame.starts(with: [0xFF, 0xD8]) && frame.suffix(2) == Data([0xFF, 0xD9]))
        }
    }

    @Test("Other content is no stream, and a frame over 4 MiB is passed over")
    func others() {
        #expect(StreamFrames(contentType: "image/jpeg") == nil)
        #expect(StreamFrames(contentType: "") == nil)
        let (long, short) = (Self.frame(5 << 20, fill: 4), Self.frame(200, fill: 5))
        for hasLengths in [true, false] {
            let stream = Self.stream([long, short], hasLengths: hasLengths)
            #expect(Self.first(of: stream, step: 1 << 16) == short)
        }
    }

    @Test("A camera's endless stream gives a picture, and its cut first frame does not")
    func delivered() async throws {
        let photograph = try fixture.photograph
        let body = Self.stream(
            [Data(photograph.prefix(photograph.count / 2)), photograph, photograph])
        let server = try LoopbackServer { _ in
            .stream(
                headers: ["Content-Type: multipart/x-mixed-replace; boundary=frame"], body: body)
        }
        let answer = try await fixture.answer(
            .request(PictureRequest(server.url("api/camera_proxy_stream/camera.door"))))
        #expect(answer.outcome.kind == .rendition, "\(answer.reasons)")
        #expect(
            answer.outcome.manifest?.source.sha256 == ContentDigest(of: photograph))
        #expect(try fixture.incoming == [answer.picture?.lastPathComponent])
    }

    @Test("A stream without a whole frame ends without a picture")
    func cut() async throws {
        let photograph = try fixture.photograph
        let server = try LoopbackServer { _ in
            .answer(
                status: 200,
                headers: ["Content-Type: multipart/x-mixed-replace; boundary=frame"],
                body: Self.stream([Data(photograph.prefix(5000))], hasLengths: false))
        }
        let answer = try await fixture.answer(.request(PictureRequest(server.url("stream"))))
        #expect(answer.reasons.first?.code.rawValue == "download-empty")
        #expect(try fixture.incoming == [])
    }
}
