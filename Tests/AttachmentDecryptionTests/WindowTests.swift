import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import Foundation
import Randomness
import SampleCiphertexts
import Testing

@Suite("Reading encrypted files", .timeLimit(.minutes(2)))
struct WindowTests {
    private let fixture: DecryptionFixture

    init() throws { fixture = try DecryptionFixture() }

    private static func bytes(_ count: Int, seed: UInt64) -> Data {
        var random = SplitMix64(seed: seed)
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 16) })
    }

    @Test(
        "Any part of the plaintext can be read, in any order",
        arguments: SampleCiphertext.Scheme.allCases)
    func parts(scheme: SampleCiphertext.Scheme) throws {
        for count in [1, 15, 16, 17, 31, 32, 4096, 16_383, 40_000] {
            let expected = Self.bytes(count, seed: UInt64(count))
            let sample = SampleCiphertext(scheme, of: expected)
            let plaintext = try fixture.open(
                sample.bytes, by: sample.decryption(), parts: [1, 5, 16, 47, 8192])
            #expect(plaintext.length == count)
            #expect(try plaintext.whole() == expected)
            var random = SplitMix64(seed: 2)
            for _ in 0..<50 {
                let (offset, length) = (random.below(count + 20), random.below(count + 1))
                #expect(
                    try plaintext.bytes(at: offset, count: length)
                        == expected.dropFirst(offset).prefix(length),
                    "\(length) bytes at \(offset) of \(count)")
            }
        }
    }

    @Test("A counter carries over all its 128 bits")
    func carry() throws {
        let expected = Self.bytes(256, seed: 3)
        let counter = Data(repeating: 0xFF, count: 15) + [0xFE]
        // Counter mode encrypts as it decrypts.
        let bytes = try fixture.open(
            expected,
            by: CounterDecryption(
                key: Data(0..<16), counter: counter,
                digest: SampleCiphertext.digest(of: expected))
        ).whole()
        let plaintext = try fixture.open(
            bytes,
            by: CounterDecryption(
                key: Data(0..<16), counter: counter, digest: SampleCiphertext.digest(of: bytes)))
        for offset in 0..<expected.count {
            #expect(try plaintext.bytes(at: offset, count: 1) == expected[offset...offset])
        }
    }

    @Test("Bytes after the picture that hide its length are not read")
    func hiddenLength() throws {
        let sample = SampleCiphertext(.chained, of: Data("picture".utf8) + Data(count: 100))
        let decryption = { (length: Int) throws(DecryptionError) in
            try ChainedDecryption(
                combinedKey: sample.key + sample.second, digest: sample.digest, length: length)
        }
        let plaintext = try fixture.open(sample.bytes, by: decryption(7))
        #expect(try plaintext.whole() == Data("picture".utf8))
        for length in [-1, 108] {
            let error = #expect(throws: DecryptionError.self) {
                try fixture.open(sample.bytes, by: decryption(length))
            }
            #expect(error?.code == .malformed)
        }
    }

    @Test("Threads may read one plaintext at once", arguments: SampleCiphertext.Scheme.allCases)
    func threads(scheme: SampleCiphertext.Scheme) async throws {
        let expected = Self.bytes(100_000, seed: 4)
        let sample = SampleCiphertext(scheme, of: expected)
        let plaintext = try fixture.open(sample.bytes, by: sample.decryption())
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                group.addTask {
                    var random = SplitMix64(seed: UInt64(number))
                    var wrong = 0
                    for _ in 0..<200 {
                        let offset = random.below(99_000)
                        let read = try plaintext.bytes(at: offset, count: 1000)
                        if read != expected[offset..<offset + 1000] { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("The ciphertext has no name in its folder, and the plaintext outlives the receiver")
    func nameless() throws {
        let sample = SampleCiphertext(.counter, of: Self.bytes(1000, seed: 5))
        var receiver: CiphertextReceiver? = try CiphertextReceiver(
            sample.decryption(), in: fixture.folder)
        try receiver?.append(sample.bytes)
        #expect(try fixture.names == [])
        let plaintext = try #require(try receiver?.finish())
        receiver = nil
        let file = try AttachmentFile(plaintext, path: "picture")
        #expect(file.isEncrypted && file.length.bytes == 1000)
        #expect(file.bytes(in: 0..<1000) == Array(Self.bytes(1000, seed: 5)))
        // Neither a digest of the picture nor of its file: the manifest has it.
        let digests = [Self.bytes(1000, seed: 5), sample.bytes].map { ContentDigest(of: $0) }
        #expect(!digests.contains(try file.digest()))
        #expect(try fixture.names == [])
    }

    @Test("50 MB are stored, authenticated and read within 1 MiB of memory")
    func memory() throws {
        let block = Self.bytes(64 << 10, seed: 6)
        let count = 50_000_000 / block.count
        var hasher = ContentHasher()
        for _ in 0..<count { block.withUnsafeBytes { hasher.update($0) } }
        let digest = Data(hex: hasher.finalize().rawValue)
        let decryption = try CounterDecryption(
            key: Data(0..<32), counter: Data(count: 16), digest: digest)
        let baseline = try #require(Footprint.current())
        let recorder = PeakRecorder()
        let interval = recorder.begin()
        let receiver = try CiphertextReceiver(decryption, in: fixture.folder)
        for _ in 0..<count { try receiver.append(block) }
        let file = try AttachmentFile(receiver.finish(), path: "picture")
        try file.forEachBlock { _ in }
        let growth = recorder.peak(of: interval).bytes - baseline.bytes
        #expect(growth < 1 << 20, "\(growth) bytes")
    }
}
