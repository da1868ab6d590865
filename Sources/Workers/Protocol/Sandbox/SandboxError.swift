public import AttachmentContainer

/// A required sandbox that is incomplete.
public struct SandboxError: FaultConvertible, Sendable, Hashable, Codable {
    /// Outcome of each measure.
    public let report: SandboxReport

    /// The missing measures with reasons.
    public var fault: Fault {
        Fault(
            .workers, "no-sandbox", reason: "the sandbox is required and not complete: \(report)",
            remedy: "use a kernel that has it, or the sandbox auto", options: ["sandbox"])
    }

    /// Missing measures with reasons and a remedy, in one line.
    public var description: String { fault.description }
}
