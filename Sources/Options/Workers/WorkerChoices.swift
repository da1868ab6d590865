public import AttachmentWorker
public import WorkerProtocol

/// Values of the options of workers.
public struct WorkerChoices: OptionTarget {
    /// Mechanism that enforces the cap; the default is the strongest available.
    public var enforcement = Enforcement.auto
    /// Seconds for the work on one attachment, on all rungs together; the default is 60.
    public var timeout = 60.0
    /// Sandbox of the workers; the default gives up what the kernel supports.
    public var sandbox = SandboxMode.automatic
    /// Threads for each attachment; the default is two while a core is idle.
    public var threads = DecodingThreads.automatic

    /// Creates the built-in values.
    public init() {}
}
