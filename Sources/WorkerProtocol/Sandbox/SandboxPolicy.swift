/// Rights that a process keeps when it enters a sandbox.
public struct SandboxPolicy: Sendable {
    /// Enforcement mode, by default ``SandboxMode/automatic``.
    public var mode = SandboxMode.automatic
    /// Descriptors to keep besides standard input, output and error; by default none.
    public var descriptors: [CInt] = []
    /// The only sockets allowed to receive descriptors; by default standard input.
    public var inboxes: [CInt] = [0]
    /// Limits on resource usage.
    public var limits = ResourceLimits()
    package var landlockVersion: Int?

    /// Creates a policy that gives up every right.
    public init() {}
}

/// Permanent limits on a process's resource usage.
public struct ResourceLimits: Sendable, Hashable, Codable {
    /// Processor time of all threads, in seconds, enforced by a kill; by default two hours.
    public var processorSeconds = 7200
    /// Maximum length of a written file, in bytes; by default 4 GiB.
    public var fileBytes = 4 << 30
    /// Maximum number of open descriptors; by default 256.
    public var openFiles = 256

    /// Creates the default limits.
    public init() {}
}
