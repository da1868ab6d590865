import AttachmentContainer
import AttachmentDecryption
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import SampleCiphertexts
import Testing

@Suite("Delivery of encrypted pictures", .serialized, .timeLimit(.minutes(3)))
struct PrivateDeliveryTests {
    private let fixture: PrivateDeliveryFixture

    init() throws { fixture = try PrivateDeliveryFixture() }

    @Test(
        "An encrypted picture behind a token is shown, and the container has neither it nor the key",
        arguments: SampleCiphertext.Scheme.allCases)
    func delivered(scheme: SampleCiphertext.Scheme) async throws {
        let photograph = try fixture.photograph
        let sample = SampleCiphertext(scheme, of: photograph)
        let (source, server) = try fixture.source(sample.bytes, by: sample.decryption())
        let answer = try await fixture.answer(source)
        withExtendedLifetime(server) {}
        #expect(answer.outcome.kind == .rendition, "\(answer.reasons)")
        let manifest = try #require(try fixture.container.manifest(for: "one"))
        #expect(
            ![photograph, sample.bytes].map { ContentDigest(of: $0) }
                .contains(manifest.source.sha256))
        #expect(manifest.rendition(.expanded) != nil)
        #expect(try fixture.incoming == [answer.picture?.lastPathComponent])
        let middle = photograph.count / 2
        let traces = [
            photograph[middle..<middle + 32], sample.bytes[middle..<middle + 32], sample.key,
            Data(ContentDigest(of: photograph).rawValue.utf8),
        ]
        for file in try fixture.files {
            for trace in traces { #expect(file.range(of: trace) == nil) }
        }
    }

    @Test(
        "The ciphertext with another key, or sent as a picture, gets no renditions of the picture")
    func sameCiphertext() async throws {
        let sample = SampleCiphertext(.counter, of: try fixture.photograph)
        var source = PictureSource.data(sample.bytes)
        source.decryption = try sample.decryption()
        #expect(try await fixture.answer(source).outcome.kind == .rendition)
        let published = try fixture.files.count
        var wrong = sample
        wrong.key[0] ^= 1
        source.decryption = try wrong.decryption()
        for each in [source, .data(sample.bytes)] {
            let answer = try await fixture.answer(each, identifier: "two")
            #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
            #expect(try fixture.container.manifest(for: "two") == nil)
        }
        // The first picture is attached from a file of its own, which stays.
        #expect(try fixture.files.count == published)
    }

    @Test("An encrypted picture has the renditions of the same picture in the clear")
    func same() async throws {
        let photograph = try fixture.photograph
        let clear = try await PrivateDeliveryFixture().answer(.data(photograph))
        let sample = SampleCiphertext(.chained, of: photograph)
        var source = PictureSource.data(sample.bytes)
        source.decryption = try sample.decryption()
        let secret = try await fixture.answer(source)
        let digests = [clear, secret].map { $0.outcome.manifest?.renditions.map(\.sha256) }
        #expect(digests[0] != nil && digests[0] == digests[1])
    }

    @Test("An encrypted picture that needs no change becomes its own rendition")
    func kept() async throws {
        let photograph = try PrivateDeliveryFixture.image("still-life-ready.jpg")
        let sample = SampleCiphertext(.counter, of: photograph)
        var source = PictureSource.data(sample.bytes)
        source.decryption = try sample.decryption()
        let answer = try await fixture.answer(source)
        #expect(answer.outcome.kind == .rendition, "\(answer.reasons)")
        let rendition = try #require(answer.outcome.manifest?.rendition(.expanded))
        #expect(rendition.sha256 == ContentDigest(of: photograph))
    }

    @Test("Encrypted sounds and movies are never stored in the clear")
    func media() async throws {
        let sound = try PrivateDeliveryFixture.image("chime.wav")
        let sample = SampleCiphertext(.galois, of: sound.prefix(60_000))
        var source = PictureSource.data(sample.bytes)
        source.decryption = try sample.decryption()
        let answer = try await fixture.answer(source)
        #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
        for file in try fixture.files {
            #expect(file.range(of: sound[2000..<2032]) == nil)
        }
    }

    @Test("An encrypted original never stands in for renditions that cannot be made")
    func original() async throws {
        let damaged = try fixture.photograph.prefix(600)
        let sample = SampleCiphertext(.counter, of: damaged)
        var source = PictureSource.data(sample.bytes)
        source.decryption = try sample.decryption()
        let answer = try await fixture.answer(source)
        #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
        #expect(try fixture.incoming == [])
    }

    @Test("Sources in memory, in files and in parts are delivered, plain or encrypted")
    func sources() async throws {
        let photograph = try fixture.photograph
        let sample = SampleCiphertext(.galois, of: photograph)
        for isEncrypted in [false, true] {
            let bytes = isEncrypted ? sample.bytes : photograph
            let file = try TemporaryFolder()
            let url = file.url.appendingPathComponent("picture")
            try bytes.write(to: url)
            let parts = AsyncStream<Data> { stream in
                for start in stride(from: 0, to: bytes.count, by: 10_000) {
                    stream.yield(bytes[start..<min(start + 10_000, bytes.count)])
                }
                stream.finish()
            }
            for (name, each) in [
                ("data", PictureSource.data(bytes)), ("file", .file(url)),
                ("stream", .stream(parts)),
            ] {
                let fresh = try PrivateDeliveryFixture()
                var source = each
                if isEncrypted { source.decryption = try sample.decryption() }
                let answer = try await fresh.answer(source)
                #expect(answer.outcome.kind == .rendition, "\(name): \(answer.reasons)")
                #expect(try fresh.incoming == [answer.picture?.lastPathComponent])
            }
            // The app's own file stays.
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    @Test("A source that fails, is empty or too long is a reason, without the app's private text")
    func failing() async throws {
        struct Private: Error, CustomStringConvertible { let description = "secret" }
        let failing = AsyncThrowingStream<Data, any Error> { stream in
            stream.yield(Data("part".utf8))
            stream.finish(throwing: Private())
        }
        let answer = try await fixture.answer(.stream(failing))
        try fixture.expectNothing(in: answer, ["download-source"])
        #expect(answer.reasons.allSatisfy { !"\($0)".contains("secret") })
        try fixture.expectNothing(in: try await fixture.answer(.data(Data())), ["download-empty"])
        let gone = URL(fileURLWithPath: "/nonexistent/picture")
        #expect(try await fixture.answer(.file(gone)).reasons.first?.code == .missing)
        let sample = SampleCiphertext(.counter, of: Data(count: 51_000_000 / 64))
        for isEncrypted in [false, true] {
            var source = PictureSource.stream(
                AsyncStream<Data> { stream in
                    for _ in 0..<64 { stream.yield(sample.bytes) }
                    stream.finish()
                })
            if isEncrypted { source.decryption = try sample.decryption() }
            try fixture.expectNothing(in: try await fixture.answer(source), ["download-too-large"])
        }
    }
}
