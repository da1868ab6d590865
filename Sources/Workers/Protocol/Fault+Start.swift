package import AttachmentContainer

extension Fault {
    /// A process that cannot begin its work.
    package static func unable(_ reason: String, remedy: String) -> Fault {
        Fault(.workers, "unable", reason: reason, remedy: remedy)
    }

    /// Programs of different releases.
    package static func versions(_ own: Int, of program: String, and other: Int) -> Fault {
        unable(
            "thimble speaks version \(other) of the protocol, and this \(program) version \(own)",
            remedy: "install all programs of one release")
    }

    /// The first message of the supervisor is not the configuration.
    package static let notConfigured = unable(
        "the first message is not its configuration", remedy: "install all programs of one release")
}
