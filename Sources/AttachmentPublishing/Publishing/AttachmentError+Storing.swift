package import AttachmentContainer
package import AttachmentModel

extension AttachmentError {
    package static func storing(_ error: ContainerError, of file: String) -> AttachmentError {
        AttachmentError(
            .storage, file: file, reason: "the container refused: \(error.reason)",
            detail: error.detailedDescription)
    }
}
