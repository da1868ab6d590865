import AttachmentContainer
import AttachmentDecryption
import Foundation
import NotificationAdapters
import NotificationDelivery
import SampleCiphertexts
import Testing

/// Whole deliveries of files that are not the sender's, or not in time.
@Suite("Faults of encrypted pictures", .serialized, .timeLimit(.minutes(3)))
struct PrivateFaultTests {
    private typealias Scheme = SampleCiphertext.Scheme

    private let fixture: PrivateDeliveryFixture

    init() throws { fixture = try PrivateDeliveryFixture() }

    @Test(
        "A changed, cut or replayed file and wrong keys publish nothing, and the notification arrives",
        arguments: SampleCiphertext.Scheme.allCases)
    func forged(scheme: SampleCiphertext.Scheme) async throws {
        let photograph = try fixture.photograph
        let sample = SampleCiphertext(scheme, of: photograph)
        let other = SampleCiphertext(scheme, of: photograph, seed: 2)
        var changed = sample.bytes
        changed[changed.count / 2] ^= 1
        var swapped = sample.bytes
        for index in 0..<16 { swapped.swapAt(160 + index, 1600 + index) }
        let files = [
            ("changed", changed), ("cut", sample.bytes.dropLast(16)), ("swapped", swapped),
            ("longer", sample.bytes + Data(count: 16)), ("replayed", other.bytes),
            ("short", sample.bytes.prefix(10)),
        ]
        for (name, file) in files {
            let (source, server) = try fixture.source(Data(file), by: sample.decryption())
            let answer = try await fixture.answer(source)
            withExtendedLifetime(server) {}
            try fixture.expectNothing(
                in: answer, ["decryption-not-authentic", "decryption-malformed"], name)
        }
        var wrong = sample
        wrong.key[0] ^= 1
        var source = PictureSource.data(sample.bytes)
        source.decryption = try wrong.decryption()
        // With counters, noise is authentic; no decoder knows it. In chaining mode, its padding is invalid.
        try fixture.expectNothing(
            in: try await fixture.answer(source),
            [
                "unsupported", "type-not-attachable", "decryption-not-authentic",
                "decryption-malformed", "encrypted",
            ], "wrong key")
    }

    @Test(
        "A wrong tag, code, digest, vector or second key publishes nothing",
        arguments: SampleCiphertext.Scheme.allCases)
    func tags(scheme: SampleCiphertext.Scheme) async throws {
        let sample = SampleCiphertext(scheme, of: try fixture.photograph)
        var changes: [(String, WritableKeyPath<SampleCiphertext, Data>)] = []
        if scheme != .counter {
            var bytes = sample.bytes
            bytes[bytes.count - 1] ^= 1
            let (source, server) = try fixture.source(bytes, by: sample.decryption())
            try fixture.expectNothing(
                in: try await fixture.answer(source), ["decryption-not-authentic"], "tag")
            withExtendedLifetime(server) {}
            changes.append(("second", \.second))
        }
        if scheme == .galois { changes.append(("nonce", \.vector)) }
        if scheme == .counter || scheme == .chained { changes.append(("digest", \.digest)) }
        for (name, path) in changes {
            var wrong = sample
            wrong[keyPath: path][0] ^= 1
            let (source, server) = try fixture.source(sample.bytes, by: wrong.decryption())
            try fixture.expectNothing(
                in: try await fixture.answer(source), ["decryption-not-authentic"], name)
            withExtendedLifetime(server) {}
        }
    }

    @Test(
        "A file that stops halfway is answered at the deadline",
        arguments: SampleCiphertext.Scheme.allCases)
    func stalled(scheme: SampleCiphertext.Scheme) async throws {
        let sample = SampleCiphertext(scheme, of: try fixture.photograph)
        let half = sample.bytes.prefix(sample.bytes.count / 2)
        let server = try LoopbackServer { _ in
            .stream(headers: ["Content-Length: \(sample.bytes.count)"], body: half)
        }
        var source = PictureSource.request(PictureRequest(try server.url("file")))
        source.decryption = try sample.decryption()
        let answer = try await fixture.answer(source, within: .seconds(1))
        // On a busy machine the stage's own deadline may pass before the download ends.
        try fixture.expectNothing(in: answer, ["download-late", "deadline"])
    }

    @Test(
        "A whole file that arrives after the answer is not published any more",
        arguments: SampleCiphertext.Scheme.allCases)
    func late(scheme: SampleCiphertext.Scheme) async throws {
        let sample = SampleCiphertext(scheme, of: try fixture.photograph)
        let isSent = Lock(false)
        let server = try LoopbackServer { _ in
            Thread.sleep(forTimeInterval: 1.5)
            isSent.withLock { $0 = true }
            return .answer(status: 200, body: sample.bytes)
        }
        var source = PictureSource.request(PictureRequest(try server.url("file")))
        source.decryption = try sample.decryption()
        let answer = try await fixture.answer(source, within: .seconds(1))
        try fixture.expectNothing(in: answer, ["download-late", "deadline"])
        while !isSent.withLock(\.self) { try await Task.sleep(for: .milliseconds(20)) }
        try await Task.sleep(for: .milliseconds(500))
        #expect(try fixture.container.manifest(for: "one") == nil)
        #expect(try fixture.incoming == [])
    }
}
