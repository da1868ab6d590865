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
    /// shows the placeholder of the payload's note.
    ///
    /// - Parameters:
    ///   - folder: The extension's own folder for temporary files.
    ///   - openGroup: Opens the group's container.
    /// - Returns: The container.
    /// - Throws: The group's error, unless the system denies access; then the folder's error.
    package static func open(
        orIn folder: URL, _ openGroup: () throws(ContainerError) -> SharedContainer
    ) throws(ContainerError) -> StageContainer {
        do throws(ContainerError) {
            return StageContainer(container: try openGroup(), isTemporary: false)
        } catch  where error.code == .unreadable || error.code == .notWritable {
            return StageContainer(
                container: try SharedContainer.create(
                    at: folder.appendingPathComponent("Thimble", isDirectory: true),
                    protection: .always),
                isTemporary: true)
        }
    }

    /// The container, which seals pictures if there is a source of keys.
    package func container(sealedBy keys: (any SealingKeyProviding)?) -> SharedContainer {
        keys.map { container.sealing(with: $0) } ?? container
    }
}
