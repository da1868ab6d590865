public import AttachmentContainer
public import AttachmentModel
internal import AttachmentPublishing
public import Foundation
public import Logging
public import WorkerProtocol

/// Processes attachments in supervised processes, each under a hard cap.
///
/// Use it in place of an `AttachmentProcessor` wherever starting processes is allowed. If a worker
/// exceeds the cap, crashes or hangs, its attachment is retried one rung lower; without a lower
/// rung it fails. Other attachments continue. Workers receive open files instead of paths. The pool
/// checks, copies and publishes their output. Workers exit with this process.
///
/// The pool ignores `SIGPIPE` for the whole process, because a worker may exit while it is sent a
/// message.
public final class WorkerPool: AttachmentProcessing {
    /// Container of the notifications.
    public let container: SharedContainer
    let frameGrabber: FrameGrabber?
    let publisher: AttachmentPublisher
    let crew: WorkerCrew
    /// The frame grabber's program; nil if the mechanism does not count its pages.
    let residentGrabber: ResidentProgram?
    private let observer: Observer

    /// Creates a pool, whose workers start on demand and are reused.
    ///
    /// `timeout` limits the work on one attachment, on all rungs together. `executable` is
    /// `thimble-worker`, which then takes every attachment. By default, both workers are used from the
    /// folder that the environment variable `THIMBLE_PROGRAMS` names, else from the folder of the
    /// running program or `../libexec/thimble` of it. Without `frameGrabber`,
    /// movies get no poster frames. The first worker takes the process of `earlyWorker`, if that is
    /// under the same cap. `threads` is the number of threads for each attachment; the default is two while
    /// a core is idle. `logger` receives the fate of workers, without names or identifiers; the default
    /// discards it. `recorder` receives the footprints of workers while they make renditions; the
    /// default is nil. `observer` receives the duration of each step; the default does nothing.
    public convenience init(
        settings: ProcessingSettings, container: SharedContainer, workers: Int = 1,
        enforcement: Enforcement = .auto, timeout: Duration = .seconds(60),
        sandbox: SandboxMode = .automatic, executable: URL? = nil,
        frameGrabber: FrameGrabber? = .installed(), earlyWorker: EarlyWorker? = nil,
        threads: DecodingThreads = .automatic,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() },
        recorder: FootprintRecorder? = nil, observer: @escaping Observer = { _, _ in }
    ) throws(WorkerPoolError) {
        try self.init(
            settings: settings, container: container, workers: workers, enforcement: enforcement,
            timeout: timeout, sandbox: sandbox, executable: executable,
            frameGrabber: frameGrabber, earlyWorker: earlyWorker, threads: threads,
            logger: logger, enforcedCap: nil, recorder: recorder, observer: observer)
    }

    /// Enforces another cap than planned for, for tests.
    package init(
        settings: ProcessingSettings, container: SharedContainer, workers: Int,
        enforcement: Enforcement, timeout: Duration, sandbox: SandboxMode = .automatic,
        executable: URL? = nil, frameGrabber: FrameGrabber? = .installed(),
        earlyWorker: EarlyWorker? = nil, threads: DecodingThreads = .automatic, logger: Logger,
        enforcedCap: MemoryCap?, recorder: FootprintRecorder? = nil,
        observer: @escaping Observer = { _, _ in }
    ) throws(WorkerPoolError) {
        crew = try WorkerCrew(
            settings, folder: container.incomingFolder, workers: workers, enforcement: enforcement,
            timeout: timeout, sandbox: sandbox, executable: executable, logger: logger,
            threads: threads, enforcedCap: enforcedCap, early: earlyWorker, recorder: recorder)
        self.container = container
        self.observer = observer
        publisher = AttachmentPublisher(to: container, settings)
        self.frameGrabber = frameGrabber
        residentGrabber =
            crew.launch.hardCap.countsPageCache
            ? frameGrabber.map { ResidentProgram($0.executable.path, environment: [:]) } : nil
    }

    /// The cap on each worker, with its mechanism.
    public var hardCap: HardCap { launch.hardCap }

    /// Time limit for one attachment, on all rungs together, without waiting for a worker.
    public var timeout: Duration { launch.timeout }

    /// Counts of workers so far.
    public var statistics: Statistics { crew.statistics }

    /// Sandbox of the worker started last; nil before the first.
    public var sandbox: SandboxReport? { crew.sandbox }

    /// Names of the installed programs of workers.
    public var programs: Set<String> { Set(launch.executables.keys.map(\.rawValue)) }

    var launch: WorkerLaunch { crew.launch }

    var roster: WorkerRoster { crew.roster }

    /// Starts one worker in advance, so that faults show before any work.
    public func warmUp() async throws(WorkerPoolError) { try await crew.warmUp() }

    /// Ends all workers and removes their control groups; later requests fail.
    public func close() async { await crew.close() }

    /// Reads the header of an attachment in a worker and plans it.
    ///
    /// While all workers are busy, one more starts for it, because a header is small and an
    /// attachment whose worker hangs is inspected to deliver its original.
    public func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        try await crew.inspect(request, mayExceed: true)
    }
}

extension WorkerPool {
    /// Counts of a pool's workers.
    public struct Statistics: Sendable, Hashable, Codable {
        /// Number of workers started.
        public internal(set) var started = 0
        /// Number of workers lost while working: killed, crashed or hung, except by cancellation.
        public internal(set) var lost = 0
    }
}

extension WorkerPool {
    /// Steps of an attachment whose durations an observer receives.
    public enum Step: Sendable {
        /// Hashing, and looking for known renditions.
        case recall
        /// Waiting for a worker.
        case place
        /// Work of a worker, its start included.
        case decode
        /// Storing renditions and manifest.
        case publish
    }

    /// Receives the duration of each step of an attachment.
    public typealias Observer = @Sendable (Step, Duration) -> Void

    /// Tells the observer the duration of a step, also of a failed one.
    func observing<Value, Failure: Error>(
        _ step: Step, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let start = ContinuousClock.now
        defer { observer(step, ContinuousClock.now - start) }
        return try await work()
    }
}
