package import AttachmentContainer
package import Foundation

/// The container that a service extension works in.
package struct StageContainer: Sendable {
    /// The container.
    package let container: SharedContainer
    /// True if it is the extension's own, which the content extension cannot read.
    package let isTemporary: Bool

    /// Opens the App Group's container, or one of the extension's own while the group is closed.
    ///
    /// The system runs service extensions before the first unlock, when nothing in the group may be
    /// read or written. The picture then reaches only the system's data store, and the content extension
    /// shows the placeholder of the payload's note. The app cannot forget what is in that folder: it is removed
    /// once the group is open, but for what is younger than `SharedContainer.deliveryTime`.
    ///
    /// - Parameters:
    ///   - folder: The extension's own folder for temporary files.
    ///   - protection: The class of pictures in that folder. The default is `always`; a class stricter than
    ///     the group's stays, and the system may then refuse pictures before the first unlock.
    ///   - openGroup: Opens the group's container.
    /// - Returns: The container.
    /// - Throws: The group's error, unless the system denies access; then the folder's error.
    package static func open(
        orIn folder: URL, protection: DataProtection = .always,
        _ openGroup: () throws(ContainerError) -> SharedContainer
    ) throws(ContainerError) -> StageContainer {
        let own = folder.appendingPathComponent("Thimble", isDirectory: true)
        do throws(ContainerError) {
            let group = try openGroup()
            // What cannot be removed now is tried again by the next process.
            _ = try? SharedContainer.open(at: own).forget(allBut: [])
            return StageContainer(container: group, isTemporary: false)
        } catch  where error.code == .unreadable || error.code == .notWritable {
            var container = try SharedContainer.create(at: own, protection: .always)
            if protection.isStricterThanContainer {
                container = container.protected(as: protection)
            }
            return StageContainer(container: container, isTemporary: true)
        }
    }

    /// The container, which seals pictures if there is a source of keys.
    package func container(sealedBy keys: (any SealingKeyProviding)?) -> SharedContainer {
        keys.map { container.sealing(with: $0) } ?? container
    }
}
