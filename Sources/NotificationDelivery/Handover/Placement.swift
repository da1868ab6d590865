import AttachmentContainer
import Foundation

/// Puts files where the receivers of answers may have them.
struct Placement: Sendable {
    private let way: DeliveryStage.Handover
    private let container: SharedContainer
    private let isWanted: @Sendable () -> Bool

    /// Prepares for one delivery.
    ///
    /// - Parameters:
    ///   - way: How files are handed over.
    ///   - container: Whose folder for what is being made serves where none was named.
    ///   - isWanted: Whether anybody still wants a file; a long copy stops when nobody does.
    init(
        _ way: DeliveryStage.Handover, _ container: SharedContainer,
        while isWanted: @escaping @Sendable () -> Bool
    ) {
        self.way = way
        self.container = container
        self.isWanted = isWanted
    }

    /// Places an open file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - type: What it is, which tells the extension of a clone.
    /// - Returns: The receiver's file.
    /// - Throws: `DeliveryReason` with the code `storage` or `unreadable`.
    func place(_ file: AllowedFile, as type: AttachableType) throws(DeliveryReason) -> HandedFile {
        guard case .clone(let chosen) = way else {
            return HandedFile(URL(fileURLWithPath: file.path), isOurs: false)
        }
        let folder = chosen ?? URL(fileURLWithPath: container.incomingFolder)
        let name = "\(UUID().uuidString).\(type.fileExtension)"
        let clone = HandedFile(folder.appending(path: name), isOurs: true)
        do throws(CloneFailure) {
            do throws(CloneFailure) {
                try Clone.make(of: file.descriptor, at: clone.url.path, while: isWanted)
            } catch {
                guard error.isMissingFolder else { throw error }
                try? FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                try Clone.make(of: file.descriptor, at: clone.url.path, while: isWanted)
            }
        } catch {
            throw DeliveryReason(
                .storage, message: "the file to attach cannot be made: \(error)",
                remedy: "check the folder's free space and permissions")
        }
        return clone
    }

    /// Places a rendition.
    ///
    /// - Parameters:
    ///   - rendition: A rendition in the container.
    ///   - type: What it is, which tells the extension of a clone.
    /// - Returns: The receiver's file.
    /// - Throws: `DeliveryReason` with the code `storage`, `missing` or `unreadable`.
    func place(_ rendition: Manifest.Rendition, as type: AttachableType) throws(DeliveryReason)
        -> HandedFile
    {
        try place(AllowedRoots.anywhere.open(container.url(of: rendition)), as: type)
    }
}
