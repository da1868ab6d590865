#if canImport(CryptoKit)
    import CommonCrypto
#else
    import CCrypto
#endif

/// Decryption by AES (FIPS 197): CommonCrypto's on Apple platforms, libcrypto's elsewhere.
package struct BlockCipher: Sendable {
    package enum Mode: Sendable {
        case counter
        case chaining
    }

    static let blockBytes = 16

    private let mode: Mode
    private let key: [UInt8]

    package init(_ mode: Mode, key: [UInt8]) { (self.mode, self.key) = (mode, key) }

    /// Decrypts in place, in chaining mode whole blocks.
    ///
    /// `vector` is the initial counter, or the block before the first.
    package func decrypt(
        _ bytes: UnsafeMutableRawBufferPointer, from vector: [UInt8]
    ) throws(DecryptionError) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        #if canImport(CryptoKit)
            var cryptor: CCCryptorRef?
            let (kind, options) =
                switch mode {
                // A counter in big-endian order is the only one that CommonCrypto has.
                case .counter: (kCCModeCTR, kCCModeOptionCTR_BE)
                case .chaining: (kCCModeCBC, 0)
                }
            let status = CCCryptorCreateWithMode(
                CCOperation(kCCDecrypt), CCMode(kind), CCAlgorithm(kCCAlgorithmAES),
                CCPadding(ccNoPadding), vector, key, key.count, nil, 0, 0, CCModeOptions(options),
                &cryptor)
            guard status == CCCryptorStatus(kCCSuccess), let cryptor else { throw .library }
            defer { CCCryptorRelease(cryptor) }
            var count = 0
            let isDone =
                CCCryptorUpdate(cryptor, start, bytes.count, start, bytes.count, &count)
                == CCCryptorStatus(kCCSuccess)
            guard isDone, count == bytes.count else { throw .library }
        #else
            let kind = mode == .counter ? THIMBLE_AES_CTR : THIMBLE_AES_CBC
            guard thimble_aes_decrypt(kind, key, key.count, vector, start, bytes.count) else {
                throw .library
            }
        #endif
    }
}
