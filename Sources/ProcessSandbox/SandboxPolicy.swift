/// What a process keeps when it enters a sandbox.
public struct SandboxPolicy: Sendable {
    /// How much depends on the sandbox.
    ///
    /// The default is ``SandboxMode/automatic``.
    public var mode = SandboxMode.automatic
    /// The descriptors that it keeps besides standard input, output and error.
    ///
    /// The default is none.
    public var descriptors: [CInt] = []
    /// The only sockets that it may still receive descriptors from.
    ///
    /// The default is standard input.
    public var inboxes: [CInt] = [0]
    /// How much it may use.
    ///
    /// The default is what ``ResourceLimits`` says.
    public var limits = ResourceLimits()
    /// The version of Landlock to take the kernel's for: that is how tests get a kernel without it.
    package var landlockVersion: Int?

    /// Makes a policy that leaves nothing.
    public init() {}
}

/// Ceilings on what a process uses, for good.
public struct ResourceLimits: Sendable, Hashable, Codable {
    /// The processor time of all threads together, after which the kernel kills, in seconds.
    ///
    /// The default is two hours.
    public var processorSeconds = 7200
    /// The length that a file may be written to, in bytes.
    ///
    /// The default is 4 GiB.
    public var fileBytes = 4 << 30
    /// How many descriptors may be open at once.
    ///
    /// The default is 256.
    public var openFiles = 256

    /// Makes the ceilings as they are by default.
    public init() {}
}
