public import AttachmentContainer
public import AttachmentIntake
public import AttachmentPlanning
public import Foundation
public import Logging
public import ProcessSandbox
import Synchronization
import WorkerProtocol

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
    /// The cap on each worker, with its mechanism.
    public let hardCap: HardCap
    /// Time limit for one attachment, on all rungs together.
    ///
    /// Waiting for a worker does not count toward it, but toward the deadline of the request.
    public let timeout: Duration
    let logger: Logger
    /// Source of poster frames; nil if no program is installed.
    let frameGrabber: FrameGrabber?
    let launch: WorkerLaunch
    let publisher: AttachmentPublisher
    let roster: WorkerRoster
    private let counts = Mutex(Statistics())
    private let sandboxes = Mutex<SandboxReport?>(nil)

    /// Creates a pool.
    ///
    /// Workers start on demand and are reused.
    ///
    /// - Parameters:
    ///   - settings: Settings of the renditions, and the cap of each worker.
    ///   - container: Container for the notifications.
    ///   - workers: Maximum number of workers. The default is 1.
    ///   - enforcement: Requested mechanism. The default is the strongest available.
    ///   - timeout: Time limit for one attachment, on all rungs together. The default is
    ///     60 seconds.
    ///   - sandbox: Requirements on the sandbox. The default uses what the kernel supports.
    ///   - executable: The program `thimble-worker`. The default is the one beside the running
    ///     program.
    ///   - frameGrabber: Source of poster frames; nil disables them. The default is `ffmpeg`, if it
    ///     is installed.
    ///   - logger: Receives the fate of workers, without names or identifiers. The default discards
    ///     it.
    /// - Throws: `WorkerPoolError`, before any process starts.
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

    /// Creates a pool that plans for one cap and enforces another.
    ///
    /// With a larger planned cap every prediction is too low, which gets workers killed in tests.
    package init(
        settings: ProcessingSettings, container: SharedContainer, workers: Int,
        enforcement: Enforcement, timeout: Duration, sandbox: SandboxMode = .automatic,
        executable: URL?, frameGrabber: FrameGrabber? = .installed(), logger: Logger,
        planningCap: MemoryCap?
    ) throws(WorkerPoolError) {
        do throws(SettingsError) {
            try settings.validate()
        } catch {
            throw .settings(error)
        }
        let program = executable ?? WorkerLaunch.siblingExecutable()
        guard let program, FileManager.default.isExecutableFile(atPath: program.path) else {
            throw .noExecutable(program?.path ?? "thimble-worker beside the running one")
        }
        do throws(EnforcementError) {
            hardCap = try HardCap(settings.cap, by: enforcement)
        } catch {
            throw .enforcement(error)
        }
        var planned = settings
        planned.cap = planningCap ?? hardCap.plannable
        self.container = container
        publisher = AttachmentPublisher(to: container, settings)
        self.timeout = timeout
        self.logger = logger
        self.frameGrabber = frameGrabber
        launch = WorkerLaunch(
            executable: program, container: container, settings: planned, hardCap: hardCap,
            sandbox: sandbox, timeout: timeout)
        roster = WorkerRoster(places: max(1, workers))
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        let roster = roster
        Task { for worker in await roster.close() { worker.kill(.withdrawn) } }
    }

    /// Counts of workers so far.
    public var statistics: Statistics { counts.withLock { $0 } }

    /// Sandbox of the worker started last; nil before the first.
    public var sandbox: SandboxReport? { sandboxes.withLock { $0 } }

    /// Starts one worker in advance, so that faults show before any work.
    ///
    /// - Throws: `WorkerPoolError` if a worker cannot start.
    public func warmUp() async throws(WorkerPoolError) {
        do {
            let worker = try await roster.take()
            do {
                let warm = if let worker { worker } else { try await start(within: timeout) }
                await roster.giveBack(warm)
            } catch {
                await roster.giveBack(nil)
                throw error
            }
        } catch let loss as WorkerLoss {
            throw .notReady(loss.startFailure(under: hardCap))
        } catch {
            throw .notReady("\(error)")
        }
    }

    /// Ends all workers and removes their control groups.
    ///
    /// Later requests fail.
    public func close() async {
        for worker in await roster.close() { await worker.end() }
    }

    func start(within time: Duration) async throws(WorkerLoss) -> Worker {
        let worker = try await Worker.start(launch, within: time)
        counts.withLock { $0.started += 1 }
        sandboxes.withLock { $0 = worker.sandbox }
        return worker
    }

    func count(_ loss: WorkerLoss) {
        counts.withLock { $0.lost += 1 }
        logger.info("worker lost", metadata: ["cause": "\(loss.cause)"])
    }
}

extension WorkerPool {
    /// Counts of a pool's workers.
    public struct Statistics: Sendable, Hashable, Codable {
        /// Number of workers started.
        public internal(set) var started = 0
        /// Number of workers lost while working: killed, crashed or hung.
        ///
        /// Excludes workers killed because their attachment was cancelled.
        public internal(set) var lost = 0
    }
}
