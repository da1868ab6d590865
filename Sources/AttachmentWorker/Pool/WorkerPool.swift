public import AttachmentContainer
public import AttachmentIntake
public import AttachmentPlanning
public import Foundation
public import Logging
public import ProcessSandbox

/// Turns attachments into notifications in supervised processes, each under a hard cap.
///
/// It takes the place of an `AttachmentProcessor` wherever a process may start others. A worker that
/// passes the cap, crashes or hangs costs its attachment one rung of the ladder; the attachment is
/// tried again below, and when there is nothing below, that is its error. The batch goes on. Workers
/// have no path: they are given open files, and what they make is looked at, copied and published
/// here. When this process ends, however, its workers end too.
///
/// It ignores `SIGPIPE` for the whole process, since a worker may go while it is being spoken to.
public final class WorkerPool: AttachmentProcessing {
    /// Where the notifications go.
    public let container: SharedContainer
    /// What takes frames of movies; nil where there is no such program.
    let frameGrabber: FrameGrabber?
    let publisher: AttachmentPublisher
    private let crew: WorkerCrew

    /// Makes a pool; workers are started when they are needed, and stay.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions, and the cap of each worker.
    ///   - container: Where the notifications go.
    ///   - workers: How many there are at most. The default is 1.
    ///   - enforcement: How they are kept under the cap. The default is the strongest that there is.
    ///   - timeout: How long workers may take for one attachment, on all rungs together. The default is
    ///     60 seconds.
    ///   - sandbox: How much depends on the sandbox of the workers. The default is as much of it as
    ///     the kernel has.
    ///   - executable: The program `thimble-worker`. The default is the one beside the running
    ///     program.
    ///   - frameGrabber: What takes frames of movies; nil for none. The default is `ffmpeg`, where it
    ///     is installed.
    ///   - logger: Gets what becomes of workers, without names or identifiers. The default drops
    ///     everything.
    /// - Throws: `WorkerPoolError`, before any process is started.
    public convenience init(
        settings: ProcessingSettings, container: SharedContainer, workers: Int = 1,
        enforcement: Enforcement = .auto, timeout: Duration = .seconds(60),
        sandbox: SandboxMode = .automatic, executable: URL? = nil,
        frameGrabber: FrameGrabber? = .installed(),
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(WorkerPoolError) {
        try self.init(
            settings: settings, container: container, workers: workers, enforcement: enforcement,
            timeout: timeout, sandbox: sandbox, executable: executable,
            frameGrabber: frameGrabber, logger: logger, planningCap: nil)
    }

    /// Makes a pool whose workers plan for another cap than the one that is enforced.
    ///
    /// With a larger one every prediction is too low for what is enforced, as that of a planner at
    /// fault would be: that is how tests get workers killed.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions, and the cap that is enforced.
    ///   - container: Where the notifications go.
    ///   - workers: How many there are at most.
    ///   - enforcement: How they are kept under the cap.
    ///   - timeout: How long workers may take for one attachment, on all rungs together.
    ///   - sandbox: How much depends on the sandbox of the workers. The default is as much of it as
    ///     the kernel has.
    ///   - executable: The program.
    ///   - frameGrabber: What takes frames of movies. The default is `ffmpeg`, where it is installed.
    ///   - logger: Gets what becomes of workers.
    ///   - planningCap: The cap that workers plan for; nil for the one that is enforced.
    /// - Throws: `WorkerPoolError`.
    package init(
        settings: ProcessingSettings, container: SharedContainer, workers: Int,
        enforcement: Enforcement, timeout: Duration, sandbox: SandboxMode = .automatic,
        executable: URL?, frameGrabber: FrameGrabber? = .installed(), logger: Logger,
        planningCap: MemoryCap?
    ) throws(WorkerPoolError) {
        crew = try WorkerCrew(
            settings, folder: container.incomingFolder, workers: workers, enforcement: enforcement,
            timeout: timeout, sandbox: sandbox, executable: executable, logger: logger,
            planningCap: planningCap)
        self.container = container
        publisher = AttachmentPublisher(to: container, settings)
        self.frameGrabber = frameGrabber
    }

    /// What keeps the workers under the cap.
    public var hardCap: HardCap { launch.hardCap }

    /// How long workers may take for one attachment, on all rungs together.
    ///
    /// Waiting for a worker does not count; that is what the deadline of a request is for.
    public var timeout: Duration { launch.timeout }

    /// What became of the workers so far.
    public var statistics: Statistics { crew.statistics }

    /// What became of the sandbox of the worker that was started last; nil before the first.
    public var sandbox: SandboxReport? { crew.sandbox }

    var launch: WorkerLaunch { crew.launch }

    var roster: WorkerRoster { crew.roster }

    /// Starts one worker ahead of the first attachment, so that what is wrong shows before any work.
    ///
    /// - Throws: `WorkerPoolError` with what stands in its way.
    public func warmUp() async throws(WorkerPoolError) { try await crew.warmUp() }

    /// Ends all workers and removes their control groups; attachments are refused from then on.
    public func close() async { await crew.close() }

    /// Reads the header of an attachment in a worker, and plans it as that worker would process it.
    ///
    /// Nothing is decoded and nothing is published. The baseline of the budget is that of the worker
    /// that answers: one that has processed attachments may have less room than a fresh one.
    ///
    /// - Parameter path: The attachment's file. It is only read.
    /// - Returns: The header, the budget and the judged ladder.
    /// - Throws: `AttachmentError` with the file and the reason.
    public func inspect(_ path: String) async throws(AttachmentError) -> InspectedAttachment {
        try await crew.inspect(path)
    }

    func start(within time: Duration) async throws(WorkerLoss) -> Worker {
        try await crew.start(within: time)
    }

    func count(_ loss: WorkerLoss) { crew.count(loss) }
}

extension WorkerPool {
    /// What became of the workers of a pool.
    public struct Statistics: Sendable, Hashable, Codable {
        /// How many were started.
        public internal(set) var started = 0
        /// How many were lost at work: killed, crashed or hung.
        ///
        /// Those that were ended because their attachment was withdrawn are not among them.
        public internal(set) var lost = 0
    }
}
