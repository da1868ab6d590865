#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// SHA-256 (FIPS 180-4) of bytes that arrive in parts: CryptoKit's on Apple platforms, libcrypto's
/// elsewhere.
public struct ContentHasher: ~Copyable {
    static let byteCount = 32

    #if canImport(CryptoKit)
        private var hash = SHA256()
    #else
        // Owned: freed once, in `deinit`.
        private let context: OpaquePointer
    #endif

    /// Creates a hasher without bytes.
    public init() {
        #if !canImport(CryptoKit)
            // libcrypto fails here only when memory is exhausted, as Swift's own allocations do.
            guard let context = thimble_sha256_new() else {
                preconditionFailure("libcrypto has no SHA-256")
            }
            self.context = context
        #endif
    }

    #if !canImport(CryptoKit)
        deinit { thimble_sha256_free(context) }
    #endif

    /// Adds the next bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
            hash.update(bufferPointer: bytes)
        #else
            precondition(thimble_sha256_update(context, bytes.baseAddress, bytes.count))
        #endif
    }

    /// The digest of all bytes added.
    public consuming func finalize() -> ContentDigest {
        #if canImport(CryptoKit)
            return ContentDigest(bytes: Array(hash.finalize()))
        #else
            let digest = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { bytes, count in
                // Valid: SHA-256 writes 32 bytes, for which there is room.
                precondition(thimble_sha256_finish(context, bytes.baseAddress))
                count = Self.byteCount
            }
            return ContentDigest(bytes: digest)
        #endif
    }
}
