package import AttachmentContainer

extension AttachmentError {
    /// Error for a container failure.
    package static func storing(_ error: ContainerError, of file: String) -> AttachmentError {
        AttachmentError(
            .storage, file: file, reason: "the container refused: \(error.reason)",
            detail: error.detailedDescription)
    }
}
