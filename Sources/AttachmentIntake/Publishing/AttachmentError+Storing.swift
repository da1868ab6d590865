package import AttachmentContainer

extension AttachmentError {
    /// Says what a failure of the container means for the attachment.
    ///
    /// - Parameters:
    ///   - error: What the container said.
    ///   - file: The attachment's path.
    /// - Returns: The error to throw.
    package static func storing(_ error: ContainerError, of file: String) -> AttachmentError {
        AttachmentError(
            .storage, file: file, reason: "the container refused: \(error.reason)",
            detail: error.detailedDescription)
    }
}
