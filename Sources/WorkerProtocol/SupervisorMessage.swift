package import AttachmentPlanning
package import ProcessSandbox

/// What a supervisor tells a worker: once how to work, then one attachment after the other.
package enum SupervisorMessage: Codable, Sendable {
    /// Comes first, and once, with the worker's end of the socket for scratch files.
    case configuration(WorkerConfiguration)
    /// Comes when the worker is ready, or has answered the one before, with the attachment, open
    /// for reading, and empty files for its renditions.
    case request(WorkerRequest)
}

/// How a worker is to work.
package struct WorkerConfiguration: Codable, Sendable {
    /// The version of the messages; a worker refuses any but its own.
    package static let version = 4
    /// After how much processor time a worker ends by itself between two attachments, in seconds:
    /// an hour, which is thousands of pictures, so that its limit never meets one that is at work.
    package static let secondsToRetirement = 3600

    package let version: Int
    /// What is asked of the renditions; its cap is what plans are made for.
    package let settings: ProcessingSettings
    /// The footprint that the worker must never reach.
    package let cap: MemoryCap
    /// True if the worker limits itself, by `RLIMIT_DATA`.
    package let limitsItself: Bool
    /// How much depends on its sandbox.
    package let sandbox: SandboxMode
    /// What it may use in its life.
    package let limits: ResourceLimits

    /// Says how to work, in this version.
    package init(
        settings: ProcessingSettings, cap: MemoryCap, limitsItself: Bool, sandbox: SandboxMode,
        limits: ResourceLimits
    ) {
        version = Self.version
        self.settings = settings
        self.cap = cap
        self.limitsItself = limitsItself
        self.sandbox = sandbox
        self.limits = limits
    }
}

/// One attachment, as much as a worker is told of it.
package struct WorkerRequest: Codable, Sendable, Hashable {
    /// How many files for renditions come along: for an animation, the expanded picture and the
    /// banner.
    package static let outputs = 3

    /// Only rungs below this one are tried; nil for all.
    package let below: Plan.Rung?
    /// How long the worker has for it; nil for any time.
    package let time: Duration?
    /// The rung of the renditions that are in the container; nil when there are none.
    package let known: Plan.Rung?
    /// True if the attachment is a frame of a movie.
    package let isPoster: Bool

    /// Asks for one attachment.
    package init(
        below: Plan.Rung?, time: Duration? = nil, known: Plan.Rung? = nil, isPoster: Bool = false
    ) {
        self.below = below
        self.time = time
        self.known = known
        self.isPoster = isPoster
    }
}

extension SupervisorMessage {
    /// How many descriptors come along.
    var descriptorCount: Int {
        switch self {
        case .configuration: 1
        case .request: 1 + WorkerRequest.outputs
        }
    }
}
