import AttachmentContainer
import Foundation

extension Data {
    /// The bytes, in one of the lengths that a scheme allows.
    func bytes(_ what: String, _ lengths: [Int]) throws(DecryptionError) -> [UInt8] {
        guard lengths.contains(count) else {
            throw .isOfWrongLength(what, lengths.map(String.init).joined(separator: " or "))
        }
        return Array(self)
    }
}

extension ContentDigest {
    /// Creates the digest with these 32 bytes.
    init(sha256 bytes: Data) throws(DecryptionError) {
        let digits = Array("0123456789abcdef")
        let hex = try bytes.bytes("the digest", [32])
            .flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        guard let digest = ContentDigest(rawValue: String(hex)) else {
            throw .isOfWrongLength("the digest", "32")
        }
        self = digest
    }
}
