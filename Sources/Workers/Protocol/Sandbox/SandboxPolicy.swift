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
    /// Kind of work that determines the system calls to keep; by default decoding.
    package var work = Work.decoding
    /// Files that stay readable, and folders with their contents; by default none.
    package var readablePaths: [String] = []
    /// TCP ports that stay reachable, if the kernel's Landlock can tell them apart; by default none.
    package var ports: [UInt16] = []
    package var landlockVersion: Int?

    package enum Work: Sendable {
        case decoding
        /// Connections to servers, name resolution included.
        case transfers
    }

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
    /// Maximum length of private writable mappings, in bytes; by default nil, for no limit.
    public var dataBytes: Int?

    /// Creates the default limits.
    public init() {}
}
