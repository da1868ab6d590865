import AttachmentContainer
import Foundation

struct Placement: Sendable {
    let handover: DeliveryStage.Handover
    let container: SharedContainer
    /// A long copy stops when it returns false.
    let isNeeded: @Sendable () -> Bool

    /// Provides an open file; the type determines the extension of a clone.
    func place(_ file: AllowedFile, as type: AttachableType) throws(DeliveryReason) -> HandedFile {
        guard case .clone(let chosen) = handover else {
            return HandedFile(URL(fileURLWithPath: file.path), isOwned: false)
        }
        let folder = chosen ?? URL(fileURLWithPath: container.incomingFolder)
        let name = "\(UUID().uuidString).\(type.fileExtension)"
        let clone = HandedFile(folder.appending(path: name), isOwned: true)
        do throws(CloneFailure) {
            do throws(CloneFailure) {
                try copy(file, to: clone)
            } catch {
                guard error.isMissingFolder else { throw error }
                try? FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                try copy(file, to: clone)
            }
        } catch {
            throw DeliveryReason(
                .storage, reason: "the file to attach cannot be created: \(error)")
        }
        return clone
    }

    private func copy(_ file: AllowedFile, to clone: HandedFile) throws(CloneFailure) {
        try Clone.make(
            of: file.descriptor, at: clone.url.path, protection: container.protection,
            while: isNeeded)
    }

    func place(_ rendition: Manifest.Rendition, as type: AttachableType) throws(DeliveryReason)
        -> HandedFile
    {
        try place(AllowedRoots.anywhere.open(container.url(of: rendition)), as: type)
    }
}
