import AttachmentDecryption
import Foundation
import Randomness
import SampleCiphertexts
import SampleMedia
import Testing

/// Each forgery must be a typed fault: a success would hand a stranger's pixels to the decoder.
@Suite("Forged ciphertexts", .timeLimit(.minutes(15)))
struct ForgeryTests {
    private typealias Scheme = SampleCiphertext.Scheme

    private let fixture: DecryptionFixture
    private let plaintext = Data((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 37) })

    init() throws { fixture = try DecryptionFixture() }

    /// The code of the fault; nil if the file was accepted.
    private func fault(
        of bytes: Data, by decryption: any StreamDecryption
    ) -> DecryptionError.Code? {
        do throws(DecryptionError) {
            _ = try fixture.open(bytes, by: decryption, parts: [113])
            return nil
        } catch {
            return error.code
        }
    }

    /// A change of the file: bits, cuts, additions, exchanged or repeated blocks.
    private static func forged(_ bytes: Data, _ random: inout SplitMix64) -> Data {
        var forged = bytes
        let (first, second) = (random.below(bytes.count), random.below(bytes.count))
        switch random.below(8) {
        case 0: forged[first] ^= UInt8(1 << random.below(8))
        case 1: forged = bytes.prefix(first)
        case 2: forged = Data(bytes.dropFirst(first + 1))
        case 3: forged.append(contentsOf: (0...random.below(40)).map { UInt8($0) })
        case 4: forged.swapAt(first, second)
        case 5:
            // Whole blocks, which a cipher without authentication would decrypt.
            let (left, right) = (first / 16 * 16, second / 16 * 16)
            for index in 0..<16 where max(left, right) + index < bytes.count {
                forged.swapAt(left + index, right + index)
            }
        case 6:
            forged = bytes.prefix(first / 16 * 16) + bytes.suffix(bytes.count - second / 16 * 16)
        default:
            let start = first / 16 * 16
            forged.insert(contentsOf: bytes[start..<min(start + 16, bytes.count)], at: start)
        }
        return Data(forged)
    }

    @Test("No forged or cut ciphertext is accepted")
    func mutants() throws {
        var random = SplitMix64(seed: 42)
        let count = Thoroughness.isFull ? 100_000 : 4_000
        let samples = Scheme.allCases.map { SampleCiphertext($0, of: plaintext) }
        for sample in samples {
            #expect(try fault(of: sample.bytes, by: sample.decryption()) == nil)
        }
        var accepted: [String] = []
        var unexpected: Set<DecryptionError.Code> = []
        var forgeries = 0
        while forgeries < count {
            let sample = samples[forgeries % samples.count]
            let forged = Self.forged(sample.bytes, &random)
            guard forged != sample.bytes else { continue }
            forgeries += 1
            switch try fault(of: forged, by: sample.decryption()) {
            case nil: accepted.append("\(sample.scheme): \(forged.base64EncodedString())")
            case .notAuthentic, .malformed: break
            case let code?: unexpected.insert(code)
            }
        }
        #expect(accepted == [])
        #expect(unexpected == [])
    }

    @Test(
        "Another key, vector, second key or digest is refused",
        arguments: SampleCiphertext.Scheme.allCases)
    func keys(scheme: SampleCiphertext.Scheme) throws {
        let sample = SampleCiphertext(scheme, of: plaintext)
        var changes: [(String, WritableKeyPath<SampleCiphertext, Data>)] = []
        // Of a counter's ciphertext, only the digest is authenticated; a wrong key gives noise.
        if scheme == .galois { changes.append(("key", \.key)) }
        if scheme == .galois { changes.append(("nonce", \.vector)) }
        if scheme != .counter { changes.append(("second key or context", \.second)) }
        if scheme == .counter || scheme == .chained { changes.append(("digest", \.digest)) }
        for (name, path) in changes {
            for index in [0, sample[keyPath: path].count - 1] {
                var wrong = sample
                wrong[keyPath: path][index] ^= 0x10
                #expect(
                    try fault(of: wrong.bytes, by: wrong.decryption()) == .notAuthentic, "\(name)")
            }
        }
    }

    @Test("A file of another message is refused", arguments: SampleCiphertext.Scheme.allCases)
    func replay(scheme: SampleCiphertext.Scheme) throws {
        let (one, other) = (
            SampleCiphertext(scheme, of: plaintext, seed: 1),
            SampleCiphertext(scheme, of: plaintext, seed: 2)
        )
        #expect(try fault(of: other.bytes, by: one.decryption()) == .notAuthentic)
        #expect(try fault(of: one.bytes + other.bytes, by: one.decryption()) != nil)
    }

    @Test("Invalid padding is refused, although its code is right")
    func padding() throws {
        // The last block decrypts to noise with this key, and the code is right.
        let sample = SampleCiphertext(.chainedWithoutDigest, of: plaintext)
        var codes: [DecryptionError.Code?] = []
        for number in UInt8(0)..<8 {
            var wrong = sample
            wrong.key[0] ^= 1 << number
            codes.append(try fault(of: wrong.bytes, by: wrong.decryption()))
        }
        // One in 256 paddings of one byte is valid by chance.
        #expect(codes.filter { $0 == .malformed }.count >= 6)
    }

    @Test("A key of a wrong length is refused before anything is stored")
    func lengths() throws {
        let (key, block) = (Data(count: 32), Data(count: 16))
        let attempts: [() throws -> Void] = [
            { _ = try CounterDecryption(key: block + [0], counter: block, digest: key) },
            { _ = try CounterDecryption(key: key, counter: key, digest: key) },
            { _ = try CounterDecryption(key: key, counter: block, digest: block) },
            { _ = try ChainedDecryption(combinedKey: key, digest: key) },
            { _ = try ChainedDecryption(key: key, authenticationKey: block) },
            { _ = try ChainedDecryption(key: key, authenticationKey: key, digest: block) },
            { _ = try GaloisDecryption(key: Data(), nonce: Data(count: 12)) },
            { _ = try GaloisDecryption(key: key, nonce: block) },
        ]
        for attempt in attempts {
            let error = #expect(throws: DecryptionError.self) { try attempt() }
            #expect(error?.code == .invalidKey)
        }
    }

    @Test("No description or dump shows a key", arguments: SampleCiphertext.Scheme.allCases)
    func descriptions(scheme: SampleCiphertext.Scheme) throws {
        var sample = SampleCiphertext(scheme, of: plaintext)
        sample.key = Data(repeating: 0xA5, count: 32)
        let decryption = try sample.decryption()
        var dumped = ""
        dump(decryption, to: &dumped)
        let texts = ["\(decryption)", String(reflecting: decryption), dumped]
        #expect(texts.allSatisfy { $0.contains("AES-") && !$0.contains("165") }, "\(texts)")
    }
}
