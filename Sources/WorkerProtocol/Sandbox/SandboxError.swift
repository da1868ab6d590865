/// A required sandbox that is incomplete.
public struct SandboxError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// Outcome of each measure.
    public let report: SandboxReport

    /// Missing measures with reasons and a remedy, in one line.
    public var description: String {
        "the sandbox is required and not complete: \(report); "
            + "use a kernel that has it, or the sandbox auto"
    }
}
