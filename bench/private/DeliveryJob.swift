import AttachmentDecryption
import Foundation
import SampleCiphertexts

/// A delivery for one process, read from its standard input.
struct DeliveryJob: Codable {
    let url: URL
    /// Nil for a public picture.
    let token: String?
    /// Nil for a picture in the clear.
    let keys: Keys?
    /// True to encrypt the renditions.
    let isSealed: Bool
    /// Cap in bytes, also the limit of the control group.
    let cap: Int
    let container: String

    struct Keys: Codable {
        let scheme: String
        let key: Data
        let vector: Data
        let second: Data
        let digest: Data

        init(_ sample: SampleCiphertext) {
            scheme = sample.scheme.rawValue
            (key, vector, second) = (sample.key, sample.vector, sample.second)
            digest = sample.digest
        }

        func decryption() throws -> any StreamDecryption {
            switch SampleCiphertext.Scheme(rawValue: scheme) {
            case .counter: try CounterDecryption(key: key, counter: vector, digest: digest)
            case .chained: try ChainedDecryption(combinedKey: key + second, digest: digest)
            case .chainedWithoutDigest:
                try ChainedDecryption(key: key, authenticationKey: second)
            case .galois: try GaloisDecryption(key: key, nonce: vector, context: second)
            case nil: throw CocoaError(.coderValueNotFound)
            }
        }
    }
}

/// The result of a delivery, written to standard output.
struct DeliveryResult: Codable {
    let outcome: String
    let reasons: [String]
    let rung: String?
    /// Footprint before the delivery, in bytes.
    let baseline: Int
    /// Peak footprint during the delivery, in bytes.
    let peak: Int
    /// From the notification to the answer.
    let seconds: Double
}
