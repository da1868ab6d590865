#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// HMAC-SHA-256 (RFC 2104) of bytes that arrive in parts.
final class AuthenticationCode {
    static let byteCount = 32

    #if canImport(CryptoKit)
        private var code: HMAC<SHA256>

        init(key: [UInt8]) throws(DecryptionError) {
            code = HMAC<SHA256>(key: SymmetricKey(data: key))
        }

        func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
            code.update(data: bytes)
        }

        private func finish() throws(DecryptionError) -> [UInt8] { Array(code.finalize()) }
    #else
        // Owned: freed once, in `deinit`.
        private let context: OpaquePointer

        init(key: [UInt8]) throws(DecryptionError) {
            guard let context = thimble_hmac_new(key, key.count) else { throw .library }
            self.context = context
        }

        deinit { thimble_hmac_free(context) }

        func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
            guard thimble_hmac_update(context, bytes.baseAddress, bytes.count) else {
                throw .library
            }
        }

        private func finish() throws(DecryptionError) -> [UInt8] {
            var isDone = false
            let code = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { bytes, count in
                // Valid: HMAC-SHA-256 writes 32 bytes, for which there is room.
                isDone = thimble_hmac_finish(context, bytes.baseAddress)
                count = isDone ? Self.byteCount : 0
            }
            guard isDone else { throw .library }
            return code
        }
    #endif

    /// True if the code is the one expected; the time does not depend on the bytes.
    func matches(_ expected: [UInt8]) throws(DecryptionError) -> Bool {
        let code = try finish()
        guard code.count == expected.count else { return false }
        return zip(code, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
