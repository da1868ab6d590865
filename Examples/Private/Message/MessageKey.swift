#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import Security

    /// The key of this device's messages, which the app agrees on with its contacts.
    nonisolated struct MessageKey {
        /// 32 bytes, for AES-256.
        let bytes: Data

        /// Decrypts a message.
        ///
        /// - Throws: `MessageFault.notAuthentic` for another key or a changed message.
        func open(_ message: SealedMessage) throws -> Data {
            do {
                return try AES.GCM.open(
                    AES.GCM.SealedBox(
                        nonce: AES.GCM.Nonce(data: message.nonce),
                        ciphertext: message.sealed.dropLast(16), tag: message.sealed.suffix(16)),
                    using: SymmetricKey(data: bytes),
                    authenticating: Data(message.conversation.utf8))
            } catch {
                throw MessageFault.notAuthentic
            }
        }

        /// The item of the keychain, in the first group of the entitlements, which app and service extension
        /// share.
        private static var item: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "messages"]
        }

        /// The key that the app stored.
        ///
        /// - Throws: `MessageFault.noKey` before the app has stored one, and before the first unlock.
        static func stored() throws(MessageFault) -> MessageKey {
            var query = item
            query[kSecReturnData] = true
            var found: CFTypeRef?
            guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
                let bytes = found as? Data
            else { throw .noKey }
            return MessageKey(bytes: bytes)
        }

        /// Stores the key; called by the app.
        ///
        /// - Throws: `MessageFault.noKey` if the keychain refuses it.
        func store() throws(MessageFault) {
            _ = SecItemDelete(Self.item as CFDictionary)
            var added = Self.item
            added[kSecValueData] = bytes
            // Pushes arrive on a locked phone too.
            added[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            guard SecItemAdd(added as CFDictionary, nil) == errSecSuccess else { throw .noKey }
        }
    }
#endif
