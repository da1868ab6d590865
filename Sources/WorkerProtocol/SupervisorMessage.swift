package import AttachmentContainer
package import AttachmentPlanning
package import ProcessSandbox

/// What a supervisor tells a worker: once how to work, then one attachment after the other.
package enum SupervisorMessage: Codable, Sendable {
    /// Comes first, and once.
    case configuration(WorkerConfiguration)
    /// Comes when the worker is ready, or has answered the one before, with the attachment's open file
    /// beside it.
    case request(WorkerRequest)
}

/// How a worker is to work.
package struct WorkerConfiguration: Codable, Sendable {
    /// The version of the messages; a worker refuses any but its own.
    package static let version = 4
    /// After how much processor time a worker ends by itself between two attachments, in seconds: an
    /// hour, which is thousands of pictures, so that its limit never meets one that is at work.
    package static let secondsToRetirement = 3600

    package let version: Int
    /// What is asked of the renditions; its cap is what plans are made for.
    package let settings: ProcessingSettings
    /// The container's folder.
    package let container: String
    /// What the names of the worker's unfinished files begin with.
    package let writer: String
    /// The footprint that the worker must never reach.
    package let cap: MemoryCap
    /// Whether the worker limits itself, by `RLIMIT_DATA`.
    package let limitsItself: Bool
    /// How much depends on its sandbox.
    package let sandbox: SandboxMode
    /// What it may use in its life.
    package let limits: ResourceLimits

    /// Says how to work, in this version.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions.
    ///   - container: The container's folder.
    ///   - writer: What the names of unfinished files begin with.
    ///   - cap: The footprint that the worker must never reach.
    ///   - limitsItself: Whether the worker limits itself.
    ///   - sandbox: How much depends on its sandbox.
    ///   - limits: What it may use in its life.
    package init(
        settings: ProcessingSettings, container: String, writer: String, cap: MemoryCap,
        limitsItself: Bool, sandbox: SandboxMode, limits: ResourceLimits
    ) {
        version = Self.version
        self.settings = settings
        self.container = container
        self.writer = writer
        self.cap = cap
        self.limitsItself = limitsItself
        self.sandbox = sandbox
        self.limits = limits
    }
}

/// One attachment.
package struct WorkerRequest: Codable, Sendable {
    /// What to call it in errors; the worker opens no path.
    package let path: String
    package let identifier: String
    package let category: String?
    /// Only rungs below this one are tried; nil for all.
    package let below: Plan.Rung?
    /// How long the worker has for it; nil for any time.
    package let time: Duration?
    /// The published movie that the attachment is a frame of; nil when it is one of its own.
    package let posterOf: Manifest?

    /// Asks for one attachment.
    ///
    /// - Parameters:
    ///   - path: What to call the attachment in errors.
    ///   - identifier: The notification's identifier.
    ///   - category: Its category.
    ///   - below: Only rungs below this one are tried.
    ///   - time: How long the worker has for it. The default is any time.
    ///   - posterOf: The published movie that the attachment is a frame of. The default is none.
    package init(
        path: String, identifier: String, category: String?, below: Plan.Rung?,
        time: Duration? = nil, posterOf: Manifest? = nil
    ) {
        self.path = path
        self.identifier = identifier
        self.category = category
        self.below = below
        self.time = time
        self.posterOf = posterOf
    }
}
