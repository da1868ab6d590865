/// Why a sandbox that is required is not in force.
public struct SandboxError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// What became of each measure.
    public let report: SandboxReport

    /// What is missing and why, and the remedy, in one line for a person.
    public var description: String {
        "the sandbox is required and not complete: \(report); "
            + "use a kernel that has it, or --sandbox auto"
    }
}
