package import AttachmentContainer
package import AttachmentModel

package enum SupervisorMessage: DescribedMessage {
    /// First message, sent once with the worker's end of the scratch file socket.
    case configuration(WorkerConfiguration)
    /// Sent to a ready worker, with the open attachment and empty files for its renditions.
    case request(WorkerRequest)
    /// Sent in place of a request, with the attachment open for reading.
    case inspect
    /// Sent in place of a request, with the picture open for reading.
    case still(StillRequest)
}

package struct WorkerConfiguration: Sendable {
    package static let version = 12
    /// Processor seconds after which a worker exits between attachments: thousands of pictures.
    package static let secondsToRetirement = 3600

    package let version: Int
    package let settings: ProcessingSettings
    /// Memory beside the footprint that the enforcement counts, and plans leave free.
    package let overhead: ByteCount
    /// Enforced with `RLIMIT_DATA`; nil if the supervisor enforces the cap.
    package let ownLimit: MemoryCap?
    package let sandbox: SandboxMode
    package let limits: ResourceLimits

    package init(
        settings: ProcessingSettings, overhead: ByteCount, ownLimit: MemoryCap?,
        sandbox: SandboxMode, limits: ResourceLimits
    ) {
        version = Self.version
        self.settings = settings
        self.overhead = overhead
        self.ownLimit = ownLimit
        self.sandbox = sandbox
        self.limits = limits
    }
}

package struct WorkerRequest: Sendable, Hashable {
    /// Empty files that accompany the request.
    package var outputs: Int { presets.outputs }

    package let below: Rung?
    package let time: Duration?
    /// Rung of the renditions already in the container; nil without any.
    package let known: Rung?
    package let isPoster: Bool
    /// Threads that may work on the attachment, 1 or 2.
    package let threads: Int
    package let presets: PresetSelection

    package init(
        below: Rung?, time: Duration? = nil, known: Rung? = nil, isPoster: Bool = false,
        threads: Int = 1, presets: PresetSelection = .content
    ) {
        self.below = below
        self.time = time
        self.known = known
        self.isPoster = isPoster
        self.threads = threads
        self.presets = presets
    }
}

package struct StillRequest: Sendable, Hashable {
    package let order: StillOrder
    package let time: Duration?

    package init(_ order: StillOrder, time: Duration?) {
        (self.order, self.time) = (order, time)
    }
}

extension SupervisorMessage {
    package var descriptorCount: Int {
        switch self {
        case .configuration, .inspect, .still: 1
        case .request(let request): 1 + request.outputs
        }
    }
}
