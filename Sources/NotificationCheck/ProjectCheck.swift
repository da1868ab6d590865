/// Holds the parts of a project against each other.
public struct ProjectCheck: Sendable {
    /// What is looked at.
    public let input: CheckInput

    /// Makes a check.
    ///
    /// - Parameter input: What is looked at.
    public init(_ input: CheckInput) { self.input = input }

    /// Reads all there is and checks it.
    ///
    /// Nothing is changed, and nothing is fetched.
    ///
    /// - Returns: What was found, and what could not be looked at.
    public func run() -> CheckReport {
        let project = Project(input)
        let findings =
            project.findings
            + project.checkTargets()
            + project.checkCategories()
            + project.checkDelivery()
            + project.checkSharing()
            + project.checkExtensions()
            + project.checkInteraction()
            + project.checkPictures()
            + project.checkAttachments()
            + project.checkSounds()
        return CheckReport(
            findings, unchecked: project.unchecked, payloads: project.notifications.count)
    }
}
