internal import Foundation

/// The key that seals the pictures of a container: AES-256.
///
/// The app keeps it in a keychain group that its extensions share, see ``SealingKeyProviding``. A sealed
/// picture is readable only with the key that sealed it.
public struct SealingKey: Sendable {
    /// Length of a key, in bytes.
    public static let byteCount = 32

    let bytes: [UInt8]
    /// The name of the key, 16 hexadecimal digits of a digest, which sealed manifests have.
    public let name: String

    /// Creates a key from its bytes, which must be random; nil unless there are 32.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
        var hasher = ContentHasher()
        Array("thimble sealing key".utf8).withUnsafeBytes { hasher.update($0) }
        self.bytes.withUnsafeBytes { hasher.update($0) }
        name = String(hasher.finalize().rawValue.prefix(16))
    }

    /// Creates a new key from the system's random numbers.
    public static func random() -> SealingKey {
        SealingKey(randomBytes: Self.byteCount)
    }

    private init(randomBytes count: Int) {
        self = SealingKey([UInt8](randomBytes: count)) ?? Self.random()
    }

    /// Passes the bytes of the key to `body`, to store them in a keychain.
    public func withBytes<Result>(_ body: ([UInt8]) throws -> Result) rethrows -> Result {
        try body(bytes)
    }
}

extension [UInt8] {
    /// Bytes of the system's generator, which is made for keys (getrandom(2), arc4random(3)).
    package init(randomBytes count: Int) {
        var generator = SystemRandomNumberGenerator()
        self = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
    /// The name of the key, never its bytes.
    public var description: String { "sealing key \(name)" }

    /// No children, so that no dump shows the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A source of the key that seals pictures.
///
/// `KeychainSealingKey` keeps one in the keychain on Apple's platforms; a `SealingKey` is its own source.
/// With another key than before, earlier pictures are unreadable and count as absent.
public protocol SealingKeyProviding: Sendable {
    /// The current key, which is asked for at every publication and reading.
    ///
    /// - Throws: `ContainerError` with the code `keyUnavailable`.
    func sealingKey() throws(ContainerError) -> SealingKey
}

extension SealingKey: SealingKeyProviding {
    /// The key itself.
    public func sealingKey() -> SealingKey { self }
}
