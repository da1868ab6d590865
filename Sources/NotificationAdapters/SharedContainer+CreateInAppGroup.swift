#if canImport(UserNotifications)
    public import AttachmentContainer
    import Foundation

    extension SharedContainer {
        /// Opens the container of an App Group for writing, and makes it where there is none.
        ///
        /// What is made is readable from the first unlock on
        /// (`FileProtectionType.completeUntilFirstUserAuthentication`), so that a service extension
        /// can work while the device is locked, and is not backed up.
        ///
        /// - Parameter group: The App Group's name, as in the entitlements of this target.
        /// - Returns: The container.
        /// - Throws: `ContainerError` with code `wrongGroup` when this target does not belong to the
        ///   group, and whatever stands in the way of writing.
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
