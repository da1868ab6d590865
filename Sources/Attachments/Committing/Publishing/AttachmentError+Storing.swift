public import AttachmentContainer
public import AttachmentModel

extension AttachmentError {
    /// The failure of an attachment whose renditions the container cannot store.
    ///
    /// - Parameters:
    ///   - error: The container's failure, which becomes the cause.
    ///   - file: The attachment's path.
    /// - Returns: An error with the code `storage` and the container's remedy.
    public static func storing(_ error: ContainerError, of file: String) -> AttachmentError {
        AttachmentError(
            .storage, file: file,
            Code.storage.fault(
                reason: "the container refused: \(error.reason)", remedy: error.fault.remedy,
                cause: error.fault),
            detail: error.detailedDescription)
    }
}
