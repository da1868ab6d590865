import AttachmentContainer
import AttachmentModel
import Foundation
import Logging
import ProgramLaunch
import WorkerProtocol

final class WorkerCrew: Sendable {
    let launch: WorkerLaunch
    let roster: WorkerRoster
    private let early: EarlyWorker?
    private let logger: Logger
    private let counts = Lock(WorkerPool.Statistics())
    private let sandboxes = Lock<SandboxReport?>(nil)

    /// `folder` is for unlinked files.
    init(
        _ settings: ProcessingSettings, folder: String, workers: Int, enforcement: Enforcement,
        timeout: Duration, sandbox: SandboxMode, executable: URL?, logger: Logger,
        threads: DecodingThreads = .one, enforcedCap: MemoryCap? = nil, early: EarlyWorker? = nil,
        recorder: FootprintRecorder? = nil
    ) throws(WorkerPoolError) {
        do throws(SettingsError) {
            try settings.validate()
        } catch {
            throw .settings(error)
        }
        let executables =
            executable.map { [.libvips: $0] } ?? WorkerLaunch.installedExecutables()
        let program = executables[.libvips]
        guard let program, FileManager.default.isExecutableFile(atPath: program.path) else {
            throw .noExecutable(
                program?.path ?? InstalledProgram.places(of: WorkerProgram.libvips.rawValue))
        }
        let hardCap: HardCap
        let cap = enforcedCap ?? settings.cap
        do throws(EnforcementError) {
            hardCap =
                if let early, early.hardCap.cap == cap, early.enforcement == enforcement {
                    early.hardCap
                } else {
                    try HardCap(cap, by: enforcement)
                }
        } catch {
            throw .enforcement(error)
        }
        self.early = early
        self.logger = logger
        var residents: [WorkerProgram: ResidentProgram] = [:]
        if hardCap.countsPageCache {
            for (program, url) in executables {
                residents[program] =
                    early?.resident(of: url)
                    ?? ResidentProgram(url.path, environment: WorkerLaunch.environment)
            }
        }
        launch = WorkerLaunch(
            executables: executables, folder: folder, settings: settings, hardCap: hardCap,
            sandbox: sandbox, timeout: timeout, residents: residents, recorder: recorder)
        roster = WorkerRoster(
            places: max(1, workers), threads: threads, cores: AvailableCores.current())
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        for worker in roster.close() { worker.kill(.withdrawn) }
    }

    var statistics: WorkerPool.Statistics { counts.withLock { $0 } }

    var sandbox: SandboxReport? { sandboxes.withLock { $0 } }

    func warmUp() async throws(WorkerPoolError) {
        do {
            let program = launch.firstProgram
            let worker = try await roster.beginWarmUp(program)
            do {
                let warm =
                    if let worker { worker } else {
                        try await start(program, within: launch.timeout)
                    }
                roster.giveBack(warm)
            } catch {
                roster.giveBack(nil)
                roster.endWarmUp()
                throw error
            }
            roster.endWarmUp()
        } catch let loss as WorkerLoss {
            throw .notReady(loss.startFault(under: launch.hardCap))
        } catch {
            // Closed or cancelled: only places throw anything else.
            throw .notReady(WorkerLoss(cause: .withdrawn).startFault(under: launch.hardCap))
        }
    }

    func close() async {
        for worker in roster.close() { await worker.end() }
    }

    /// Runs `work` in `warm` or in a fresh worker of the program, and gives the place in the roster back.
    func occupyPlace<Answer>(
        of warm: Worker?, _ program: WorkerProgram, until latest: ContinuousClock.Instant,
        _ work: (Worker, Duration) async -> Worker.Reply<Answer>
    ) async -> Worker.Reply<Answer> {
        do throws(WorkerLoss) {
            let worker: Worker
            if let warm {
                // The system may have evicted pages since.
                await launch.residents[program]?.request()
                worker = warm
            } else {
                worker = try await start(
                    program, within: ContinuousClock.now.duration(to: latest))
            }
            let reply = await work(worker, ContinuousClock.now.duration(to: latest))
            // The place is free once the process has exited.
            if worker.isGone || (warm != nil && Self.lackedMemory(reply)) { await worker.end() }
            roster.giveBack(worker.isGone ? nil : worker)
            return reply
        } catch {
            roster.giveBack(nil)
            var loss = error
            loss.isAtStart = true
            return .failure(loss)
        }
    }

    private static func lackedMemory<Answer>(_ reply: Worker.Reply<Answer>) -> Bool {
        if case .success(.failure(let error)) = reply { error.isLackOfMemory } else { false }
    }

    func start(
        _ program: WorkerProgram, within time: Duration
    ) async throws(WorkerLoss) -> Worker {
        let worker = try await Worker.start(launch, program, early, within: time)
        counts.withLock { $0.started += 1 }
        sandboxes.withLock { $0 = worker.sandbox }
        return worker
    }

    func count(_ loss: WorkerLoss) {
        counts.withLock { $0.lost += 1 }
        logger.info("worker lost", metadata: ["cause": "\(loss.cause)"])
    }
}

extension AttachmentError {
    /// True if a fresh worker, which takes less memory itself, may have room.
    var isLackOfMemory: Bool { [.overCap, .scratchLimit].contains(code) }
}
