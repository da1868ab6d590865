/// Enforcement mode of a worker's sandbox, with the raw values of `--sandbox`.
public enum SandboxMode: String, Sendable, Codable, CaseIterable {
    /// Every measure must be in force; otherwise no attachment is processed.
    case require
    /// Measures that the kernel supports are in force; missing ones are reported.
    case automatic = "auto"
    /// No sandbox, for debuggers and sanitizers, which need access that it denies.
    case off
}
