import AttachmentContainer
public import AttachmentModel
import Foundation

/// The process of a pool's first worker, started before the pool.
///
/// A program that takes milliseconds to read its settings starts it first, so that both happen at
/// the same time. The process is under the cap from its start, and waits for its configuration,
/// which it enters the sandbox with, before it receives any file. The pools' first worker with the
/// same cap, mechanism and program takes it. It does not replace `WorkerPool.warmUp()`.
public final class EarlyWorker: Sendable {
    let hardCap: HardCap
    let enforcement: Enforcement
    /// Nil if the mechanism does not count the program's pages.
    private let resident: ResidentProgram?
    private let executable: URL
    private let start: Lock<Start?>

    struct Start: Sendable {
        let process: WorkerProcess
        let group: ControlGroup?
    }

    /// Starts the process of the installed `thimble-row-worker`.
    ///
    /// Nil if that fails; the pool then reports the reason.
    public init?(cap: MemoryCap, enforcement: Enforcement = .auto) {
        guard let executable = WorkerLaunch.installedExecutables()[.rows],
            let hardCap = try? HardCap(cap, by: enforcement)
        else { return nil }
        let group: ControlGroup?
        do {
            group = try hardCap.makeGroup()
        } catch {
            return nil
        }
        self.hardCap = hardCap
        self.enforcement = enforcement
        self.executable = executable
        let command = WorkerLaunch.command(executable.path, under: hardCap.mechanism, in: group)
        resident =
            hardCap.countsPageCache
            ? ResidentProgram(executable.path, environment: WorkerLaunch.environment) : nil
        start = Lock(Start(process: WorkerProcess(command, resident), group: group))
    }

    /// The process, once, if the worker's own would be the same.
    func take(for launch: WorkerLaunch, _ program: WorkerProgram) -> Start? {
        guard launch.executables[program] == executable, launch.hardCap.cap == hardCap.cap,
            launch.hardCap.mechanism == hardCap.mechanism
        else { return nil }
        return start.withLock { $0.take() }
    }

    func resident(of executable: URL) -> ResidentProgram? {
        executable == self.executable ? resident : nil
    }

    /// Kills the process and removes its control group, unless a worker has taken it.
    public func end() async {
        guard let start = start.withLock({ $0.take() }) else { return }
        await start.process.end()
        start.group?.remove()
    }
}
