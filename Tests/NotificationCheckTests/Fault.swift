import NotificationCheck
import Testing

/// A single fault of a project, and its only expected finding.
struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: CheckReport.Code
    /// A required part of the message.
    let message: String
    /// The name of the file at fault.
    let file: String
    /// Changes the project before it is written.
    let change: @Sendable (SampleProject) throws -> Void
    /// Changes the files after they are written.
    let damage: @Sendable (SampleProject) throws -> Void

    init(
        _ name: String, _ code: CheckReport.Code, _ message: String = "", in file: String,
        change: @escaping @Sendable (SampleProject) throws -> Void = { _ in },
        damage: @escaping @Sendable (SampleProject) throws -> Void = { _ in }
    ) {
        (testDescription, self.code, self.message, self.file) = (name, code, message, file)
        (self.change, self.damage) = (change, damage)
    }

    static let all =
        files + categories + delivery + sharing + extensions + pictures + attachments
}
