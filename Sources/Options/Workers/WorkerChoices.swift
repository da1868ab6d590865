package import AttachmentWorker
package import WorkerProtocol

/// Values of the options of workers.
package struct WorkerChoices: OptionTarget {
    package var enforcement = Enforcement.auto
    /// Seconds for the work on one attachment, on all rungs together.
    package var timeout = 60.0
    package var sandbox = SandboxMode.automatic

    package init() {}
}
