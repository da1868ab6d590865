/// What a process keeps when it enters a sandbox.
public struct SandboxPolicy: Sendable {
    /// How much depends on the sandbox.
    ///
    /// The default is ``SandboxMode/automatic``.
    public var mode = SandboxMode.automatic
    /// The only files and folders that it opens from then on, each with what is beneath it.
    ///
    /// The default is none.
    public var paths: [AllowedPath] = []
    /// The descriptors that it keeps besides standard input, output and error.
    ///
    /// The default is none.
    public var descriptors: [CInt] = []
    /// The one socket that it may still receive descriptors from.
    ///
    /// The default is standard input.
    public var inbox: CInt = 0
    /// How much it may use.
    ///
    /// The default is what ``ResourceLimits`` says.
    public var limits = ResourceLimits()
    /// The version of Landlock to take the kernel's for: that is how tests get a kernel without it.
    package var landlockVersion: Int?

    /// Makes a policy that leaves nothing.
    public init() {}
}

/// A file or a folder that a sandbox leaves open.
public struct AllowedPath: Sendable, Hashable {
    /// Where it is; a folder stands for all that is in it.
    public var path: String
    /// What may be done there.
    public var access: PathAccess

    /// Names a file or a folder.
    ///
    /// - Parameters:
    ///   - path: Where it is; it must be there when the sandbox is entered.
    ///   - access: What may be done there.
    public init(_ path: String, _ access: PathAccess) {
        self.path = path
        self.access = access
    }
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
