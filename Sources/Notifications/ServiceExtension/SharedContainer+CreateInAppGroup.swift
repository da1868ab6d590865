#if canImport(UserNotifications)
    public import AttachmentContainer
    import Foundation

    extension SharedContainer {
        /// Opens the container of an App Group for writing, and creates it if missing.
        ///
        /// Its files are readable from the first unlock on
        /// (`FileProtectionType.completeUntilFirstUserAuthentication`), so that a service extension can
        /// work on a locked device. They are not backed up.
        ///
        /// - Parameter group: The App Group's name, as in the entitlements of this target.
        /// - Returns: The container.
        /// - Throws: `ContainerError` with code `wrongGroup` if this target is not in the group, or with
        ///   the cause of a failed write.
        public static func create(
            inAppGroup group: String
        ) throws(ContainerError) -> SharedContainer {
            try create(
                at: folder(
                    inAppGroup: group,
                    at: FileManager.default.containerURL(
                        forSecurityApplicationGroupIdentifier: group)))
        }
    }
#endif
