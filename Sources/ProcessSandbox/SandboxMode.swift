/// How much depends on the sandbox of a worker.
///
/// The raw values are those of `--sandbox`.
public enum SandboxMode: String, Sendable, Codable, CaseIterable {
    /// All of it is in force, or no attachment is touched.
    case require
    /// As much of it as the kernel has is in force, and what it lacks is reported.
    case automatic = "auto"
    /// Nothing of it: for debuggers and sanitizers, which look at what it hides.
    case off
}
