#if canImport(UserNotifications)
    public import AttachmentContainer
    import Foundation

    extension SharedContainer {
        /// Opens the container of an App Group for writing, and creates it if missing.
        ///
        /// By default its files are readable from the first unlock on
        /// (`FileProtectionType.completeUntilFirstUserAuthentication`), so that a service extension can
        /// attach pictures on a locked device. They are not backed up.
        ///
        /// - Parameters:
        ///   - group: The App Group's name, as in the entitlements of this target.
        ///   - protection: The protection of pictures and manifests. The default is
        ///     ``DataProtection/afterFirstUnlock``.
        /// - Returns: The container.
        /// - Throws: `ContainerError` with code `wrongGroup` if this target is not in the group, or with
        ///   the cause of a failed write.
        public static func create(
            inAppGroup group: String, protection: DataProtection = .afterFirstUnlock
        ) throws(ContainerError) -> SharedContainer {
            try create(
                at: folder(
                    inAppGroup: group,
                    at: FileManager.default.containerURL(
                        forSecurityApplicationGroupIdentifier: group)),
                protection: protection)
        }
    }
#endif
