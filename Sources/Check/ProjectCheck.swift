public import AttachmentModel

/// Checks the parts of a project against each other.
public struct ProjectCheck: Sendable {
    /// The input of the check.
    public let input: CheckInput

    /// Creates a check.
    public init(_ input: CheckInput) { self.input = input }

    /// Reads the input and checks it.
    ///
    /// It changes nothing and fetches nothing.
    ///
    /// - Parameter inspect: Reads the header of a local attachment, such as
    ///   `AttachmentInspector.inspect`.
    /// - Returns: The findings, and a list of what was not checked.
    /// - Throws: `AttachmentError` with the code `storage` or `cancelled` if attachments cannot be
    ///   inspected.
    public func run(
        inspecting inspect: (String) async throws(AttachmentError) -> InspectedAttachment
    ) async throws(AttachmentError) -> CheckReport {
        let project = Project(input)
        let findings =
            project.findings
            + project.checkTargets()
            + project.checkApp()
            + project.checkCategories()
            + project.checkDelivery()
            + project.checkSharing()
            + project.checkKeychain()
            + project.checkExtensions()
            + project.checkKeys()
            + project.checkInteraction()
            + project.checkPictures()
            + (try await project.checkAttachments(inspecting: inspect))
            + project.checkSounds()
        return CheckReport(
            findings, unchecked: project.unchecked, payloads: project.notifications.count)
    }
}
