package import AttachmentContainer
package import AttachmentModel

extension AttachmentError {
    package static func storing(_ error: ContainerError, of file: String) -> AttachmentError {
        AttachmentError(
            .storage, file: file,
            Code.storage.fault(
                reason: "the container refused: \(error.reason)", remedy: error.fault.remedy,
                cause: error.fault),
            detail: error.detailedDescription)
    }
}
