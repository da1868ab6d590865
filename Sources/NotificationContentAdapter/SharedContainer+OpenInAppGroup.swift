#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    import Foundation

    extension SharedContainer {
        /// Opens the container of an App Group, to show what is in it and to keep it.
        ///
        /// - Parameter group: The App Group's name, as in the entitlements of this target.
        /// - Returns: The container.
        /// - Throws: `ContainerError` with code `wrongGroup` when this target does not belong to the
        ///   group, `missing` when nothing was processed yet.
        public static func open(inAppGroup group: String) throws(ContainerError) -> SharedContainer
        {
            try open(
                at: folder(
                    inAppGroup: group,
                    at: FileManager.default.containerURL(
                        forSecurityApplicationGroupIdentifier: group)))
        }
    }
#endif
