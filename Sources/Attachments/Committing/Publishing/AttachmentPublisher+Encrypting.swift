import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import Foundation

/// Renditions for a container that seals pictures.
extension AttachmentPublisher {
    /// A rendition as an encrypted file, with its key.
    func encrypted(
        _ rendition: RenderedAttachment.Rendition, from outputs: [OwnedDescriptor],
        _ sealing: [SealingFile], of file: AttachmentFile
    ) throws(Refusal) -> SealedRendition {
        guard let output = rendition.output else { return try encryptedOriginal(file, rendition) }
        guard sealing.indices.contains(output) else { throw .implausible }
        let seal = try storing(file) { () throws(DecryptionError) in try sealing[output].seal() }
        return SealedRendition(
            try self.seal(rendition, from: outputs, of: file), rendition, under: seal, of: file)
    }

    /// A picture that needs no change, and so is its own rendition.
    private func encryptedOriginal(
        _ file: AttachmentFile, _ rendition: RenderedAttachment.Rendition
    ) throws(Refusal) -> SealedRendition {
        let copy = try emptyFile(for: file, rendition)
        let sealing = SealingFile(OwnedDescriptor(dup(copy.descriptor)))
        try forEachBlock(of: file) { block throws(ContainerError) in
            let result = block.withUnsafeBytes { bytes in
                Result { () throws(DecryptionError) in try sealing.append(bytes) }
            }
            guard case .failure(let error) = result else { return }
            throw ContainerError(.system, path: file.path, reason: error.reason)
        }
        let seal = try storing(file) { () throws(DecryptionError) in try sealing.seal() }
        return SealedRendition(copy, rendition, under: seal, of: file)
    }

    private func storing<Value>(
        _ file: AttachmentFile, _ step: () throws(DecryptionError) -> Value
    ) throws(Refusal) -> Value {
        do throws(DecryptionError) {
            return try step()
        } catch {
            throw .failed(AttachmentError(.storage, file: file.path, reason: error.reason))
        }
    }
}
