#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
#else
    import CCrypto
#endif

/// The tag of AES-GCM (NIST SP 800-38D) over a ciphertext that arrives in parts.
final class GaloisTag {
    #if canImport(CryptoKit)
        /// CryptoKit verifies only whole messages, and returns their plaintext: with the limit, ciphertext,
        /// the copy in its box and plaintext have 12 MiB.
        private static let maximumBytes = 4 << 20

        private let key: [UInt8]
        private let nonce: [UInt8]
        private let context: [UInt8]
        private var ciphertext = Data()

        init(key: [UInt8], nonce: [UInt8], context: [UInt8]) throws(DecryptionError) {
            (self.key, self.nonce, self.context) = (key, nonce, context)
        }

        func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
            guard ciphertext.count + bytes.count <= Self.maximumBytes else {
                throw DecryptionError(
                    .tooLarge, reason: "AES-GCM of this system takes at most 4 MiB")
            }
            ciphertext.append(contentsOf: bytes)
        }

        func matches(_ tag: [UInt8]) throws(DecryptionError) -> Bool {
            defer { ciphertext = Data() }
            do {
                let box = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
                _ = try AES.GCM.open(
                    box, using: SymmetricKey(data: key), authenticating: context)
                return true
            } catch {
                return false
            }
        }
    #else
        // Owned: freed once, in `deinit`.
        private let state: OpaquePointer

        init(key: [UInt8], nonce: [UInt8], context: [UInt8]) throws(DecryptionError) {
            guard
                let state = thimble_gcm_new(
                    key, key.count, nonce, nonce.count, context, context.count)
            else { throw .library }
            self.state = state
        }

        deinit { thimble_gcm_free(state) }

        func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
            guard thimble_gcm_update(state, bytes.baseAddress, bytes.count) else { throw .library }
        }

        func matches(_ tag: [UInt8]) throws(DecryptionError) -> Bool {
            thimble_gcm_finish(state, tag)
        }
    #endif
}
