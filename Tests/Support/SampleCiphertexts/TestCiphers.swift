import AttachmentDecryption
import Foundation

/// Encryption for tests, built from counter mode and SHA-256 as every platform has them.
enum TestCiphers {
    /// AES in counter mode, which encrypts as it decrypts.
    static func counter(_ bytes: [UInt8], key: [UInt8], counter: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBytes {
            // A failure leaves plaintext, which no decryption accepts.
            try? BlockCipher(.counter, key: key).decrypt($0, from: counter)
        }
        return bytes
    }

    /// AES in cipher block chaining mode with PKCS #7 padding: a block's cipher is the key stream whose
    /// counter is the block.
    static func chained(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
        let padding = 16 - bytes.count % 16
        let padded = bytes + [UInt8](repeating: UInt8(padding), count: padding)
        var result: [UInt8] = []
        result.reserveCapacity(padded.count)
        var block = vector
        for start in stride(from: 0, to: padded.count, by: 16) {
            for index in 0..<16 { block[index] ^= padded[start + index] }
            block = counter([UInt8](repeating: 0, count: 16), key: key, counter: block)
            result += block
        }
        return result
    }

    /// HMAC-SHA-256 (RFC 2104, 2) with a key of at most 64 bytes.
    static func code(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let block = key + [UInt8](repeating: 0, count: 64 - key.count)
        let inner = SampleCiphertext.digest(of: Data(block.map { $0 ^ 0x36 } + bytes))
        return Array(SampleCiphertext.digest(of: Data(block.map { $0 ^ 0x5C } + inner)))
    }

    /// AES-GCM with a nonce of 12 bytes: ciphertext and tag.
    static func galois(
        _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8]
    ) -> [UInt8] {
        let ciphertext = counter(bytes, key: key, counter: nonce + [0, 0, 0, 2])
        let zeros = [UInt8](repeating: 0, count: 16)
        let hash = Block(counter(zeros, key: key, counter: zeros))
        var sum = Block(zeros)
        for part in [context, ciphertext] {
            for start in stride(from: 0, to: part.count, by: 16) {
                let block = Array(part[start..<min(start + 16, part.count)])
                sum = sum.adding(Block(block + zeros.dropFirst(block.count))).multiplied(by: hash)
            }
        }
        let lengths = Block(high: UInt64(context.count * 8), low: UInt64(ciphertext.count * 8))
        sum = sum.adding(lengths).multiplied(by: hash)
        return ciphertext + counter(sum.bytes, key: key, counter: nonce + [0, 0, 0, 1])
    }

    /// An element of the field of GHASH (NIST SP 800-38D, 6.3).
    private struct Block {
        var high: UInt64
        var low: UInt64

        init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

        init(_ bytes: [UInt8]) {
            (high, low) = (0, 0)
            for byte in bytes[..<8] { high = high << 8 | UInt64(byte) }
            for byte in bytes[8...] { low = low << 8 | UInt64(byte) }
        }

        var bytes: [UInt8] {
            [high, low].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
            }
        }

        func adding(_ other: Block) -> Block {
            Block(high: high ^ other.high, low: low ^ other.low)
        }

        func multiplied(by other: Block) -> Block {
            var (sum, power) = (Block(high: 0, low: 0), other)
            for index in 0..<128 {
                let bit = index < 64 ? high >> UInt64(63 - index) : low >> UInt64(127 - index)
                if bit & 1 == 1 { sum = sum.adding(power) }
                let isOdd = power.low & 1 == 1
                power.low = power.low >> 1 | power.high << 63
                power.high >>= 1
                if isOdd { power.high ^= 0xE1 << 56 }
            }
            return sum
        }
    }
}
