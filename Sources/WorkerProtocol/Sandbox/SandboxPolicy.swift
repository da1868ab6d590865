/// Rights that a process keeps when it enters a sandbox.
public struct SandboxPolicy: Sendable {
    /// Enforcement mode.
    ///
    /// The default is ``SandboxMode/automatic``.
    public var mode = SandboxMode.automatic
    /// Descriptors to keep, besides standard input, output and error.
    ///
    /// The default is none.
    public var descriptors: [CInt] = []
    /// The only sockets allowed to receive descriptors.
    ///
    /// The default is standard input.
    public var inboxes: [CInt] = [0]
    /// Limits on resource usage.
    ///
    /// The default is ``ResourceLimits/init()``.
    public var limits = ResourceLimits()
    /// Landlock version to assume instead of the kernel's, for tests.
    package var landlockVersion: Int?

    /// Creates a policy that gives up every right.
    public init() {}
}

/// Permanent limits on a process's resource usage.
public struct ResourceLimits: Sendable, Hashable, Codable {
    /// Processor time of all threads together, in seconds; the kernel then kills the process.
    ///
    /// The default is two hours.
    public var processorSeconds = 7200
    /// Maximum length of a written file, in bytes.
    ///
    /// The default is 4 GiB.
    public var fileBytes = 4 << 30
    /// Maximum number of open descriptors.
    ///
    /// The default is 256.
    public var openFiles = 256

    /// Creates the default limits.
    public init() {}
}
