#if canImport(Security) && canImport(Darwin)
    import Foundation
    import Security

    /// The key that seals pictures, in a keychain group of the app and its extensions.
    ///
    /// It is made at first use, stays on this device, is not in backups, and can be read from the first
    /// unlock on (`kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`), because service extensions run on
    /// locked devices. Every target names the group in its entitlement `keychain-access-groups`.
    public struct KeychainSealingKey: SealingKeyProviding {
        private let group: String
        private let account: String

        /// The service of the keychain items.
        private static let service = "thimble.sealing-key"

        /// Creates a source of the key.
        ///
        /// - Parameters:
        ///   - group: The keychain group with its prefix, such as `ABCDE12345.example.messenger`.
        ///   - account: The name of the key, for apps with several accounts. The default is `pictures`.
        public init(accessGroup group: String, account: String = "pictures") {
            (self.group, self.account) = (group, account)
        }

        /// Reads the key, and makes one if there is none.
        ///
        /// - Throws: `ContainerError` with the code `keyUnavailable`, and the system's status in its
        ///   detail.
        public func sealingKey() throws(ContainerError) -> SealingKey {
            if let key = try storedKey() { return key }
            let key = SealingKey.random()
            var item = query
            item[kSecValueData] = key.withBytes { Data($0) }
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let status = SecItemAdd(item as CFDictionary, nil)
            if status == errSecSuccess { return key }
            // Another process was faster.
            guard status == errSecDuplicateItem, let key = try storedKey() else {
                throw unavailable(status)
            }
            return key
        }

        /// Removes the key: every picture that it sealed becomes unreadable.
        ///
        /// - Throws: `ContainerError` with the code `keyUnavailable`.
        public func remove() throws(ContainerError) {
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw unavailable(status)
            }
        }

        private func storedKey() throws(ContainerError) -> SealingKey? {
            var query = query
            query[kSecReturnData] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data, let key = SealingKey(data)
            else { throw unavailable(status) }
            return key
        }

        private var query: [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: Self.service, kSecAttrAccount: account,
                kSecAttrAccessGroup: group,
                // On macOS, too, the keychain with access groups.
                kSecUseDataProtectionKeychain: true,
            ]
        }

        private func unavailable(_ status: OSStatus) -> ContainerError {
            ContainerError(
                .keyUnavailable, path: group, reason: "the keychain does not give the key",
                detail: "OSStatus \(status)")
        }
    }
#endif
