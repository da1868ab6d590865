import AttachmentContainer
package import AttachmentDecryption
package import Foundation
import Randomness

/// An encrypted file with all that its decryption needs.
package struct SampleCiphertext: Sendable {
    /// The schemes of the product.
    package enum Scheme: String, Sendable, CaseIterable {
        case counter
        case chained
        case chainedWithoutDigest
        case galois
    }

    package let scheme: Scheme
    /// The file as a server stores it.
    package let bytes: Data
    package var key: Data
    /// Initial counter or nonce; unused in chaining mode, whose vector is in the file.
    package var vector: Data
    /// The second key of chaining mode, or the context of GCM.
    package var second: Data
    package var digest: Data

    /// Encrypts bytes with keys from a seed.
    package init(_ scheme: Scheme, of plaintext: Data, seed: UInt64 = 1) {
        var random = SplitMix64(seed: seed)
        let draw = { (count: Int) -> [UInt8] in
            (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) }
        }
        let (key, plain) = (draw(32), Array(plaintext))
        var (vector, second, file): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        switch scheme {
        case .counter:
            vector = draw(8) + [UInt8](repeating: 0, count: 8)
            file = TestCiphers.counter(plain, key: key, counter: vector)
        case .chained, .chainedWithoutDigest:
            (vector, second) = (draw(16), draw(32))
            let signed = vector + TestCiphers.chained(plain, key: key, vector: vector)
            file = signed + TestCiphers.code(signed, key: second)
        case .galois:
            (vector, second) = (draw(12), draw(20))
            file = TestCiphers.galois(plain, key: key, nonce: vector, context: second)
        }
        self.init(
            scheme, file: Data(file), key: Data(key), vector: Data(vector), second: Data(second))
    }

    /// Encrypts bytes in chaining mode with a key and an initial vector.
    package static func chained(_ plaintext: Data, key: Data, vector: Data) -> SampleCiphertext {
        let second = [UInt8](repeating: 7, count: 32)
        let signed =
            Array(vector)
            + TestCiphers.chained(Array(plaintext), key: Array(key), vector: Array(vector))
        return SampleCiphertext(
            .chained, file: Data(signed + TestCiphers.code(signed, key: second)), key: key,
            vector: vector, second: Data(second))
    }

    /// Encrypts bytes by AES-GCM with a key, a nonce of 12 bytes and a context.
    package static func galois(
        _ plaintext: Data, key: Data, nonce: Data, context: Data
    ) -> SampleCiphertext {
        let file = TestCiphers.galois(
            Array(plaintext), key: Array(key), nonce: Array(nonce), context: Array(context))
        return SampleCiphertext(
            .galois, file: Data(file), key: key, vector: nonce, second: context)
    }

    private init(_ scheme: Scheme, file: Data, key: Data, vector: Data, second: Data) {
        (self.scheme, bytes, self.key) = (scheme, file, key)
        (self.vector, self.second) = (vector, second)
        digest = Self.digest(of: file)
    }

    /// The decryption with the present keys.
    package func decryption() throws(DecryptionError) -> any StreamDecryption {
        switch scheme {
        case .counter: try CounterDecryption(key: key, counter: vector, digest: digest)
        case .chained: try ChainedDecryption(combinedKey: key + second, digest: digest)
        case .chainedWithoutDigest:
            try ChainedDecryption(key: key, authenticationKey: second)
        case .galois: try GaloisDecryption(key: key, nonce: vector, context: second)
        }
    }

    /// The bytes of a SHA-256 digest.
    package static func digest(of bytes: Data) -> Data {
        let digits = Array(ContentDigest(of: bytes).rawValue.utf8)
        let value = { (digit: UInt8) in digit < 97 ? digit - 48 : digit - 87 }
        return Data(
            stride(from: 0, to: digits.count, by: 2).map {
                value(digits[$0]) << 4 | value(digits[$0 + 1])
            })
    }
}
