#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    import Foundation

    extension SharedContainer {
        /// Opens the container of an App Group, to show and keep its pictures.
        ///
        /// - Parameter group: The App Group's name, as in the entitlements of this target.
        /// - Returns: The container.
        /// - Throws: `ContainerError` with code `wrongGroup` if this target is not in the group, or
        ///   `missing` before the first attachment is processed.
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
