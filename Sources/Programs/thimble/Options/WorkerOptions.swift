public import ArgumentParser
import AttachmentContainer
import AttachmentModel
public import AttachmentWorker
import Foundation
import Logging
public import WorkerProtocol

struct WorkerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Mechanism that enforces the cap: auto, cgroup, rlimit or monitor.",
            discussion:
                "auto takes the strongest available and reports it. A named mechanism that is "
                + "unavailable is an error."))
    var enforce = Default.enforce.value

    @Option(
        help: ArgumentHelp(
            "Time limit for one attachment, on all rungs together.",
            valueName: "seconds"))
    var timeout = Default.timeout.value

    @Option(
        help: ArgumentHelp(
            "Sandbox of the workers: require, auto or off.",
            discussion: "Workers give up unneeded rights before they read a file: other paths, "
                + "sockets, programs. auto gives up what this kernel supports and reports the rest; require "
                + "refuses to run unless all of it is supported."))
    var sandbox = Default.sandbox.value

    /// Defaults, which the environment may override.
    enum Default {
        static let sandbox = EnvironmentDefault("sandbox", SandboxMode.automatic)
        static let enforce = EnvironmentDefault("enforce", Enforcement.auto)
        static let timeout = EnvironmentDefault("timeout", 60.0)
    }

    func validate() throws {
        try Default.enforce.check()
        try Default.sandbox.check()
        try Default.timeout.check()
        guard timeout.isFinite, 0.001...86_400 ~= timeout else {
            throw ValidationError("timeout must be from 0.001 to 86400 seconds")
        }
    }

    func makePool(
        _ settings: ProcessingSettings, _ container: SharedContainer, workers: Int
    ) throws(WorkerPoolError) -> WorkerPool {
        try WorkerPool(
            settings: settings, container: container, workers: workers, enforcement: enforce,
            timeout: .seconds(timeout), sandbox: sandbox, earlyWorker: Thimble.earlyWorker,
            logger: Logger(label: "thimble"))
    }

    /// Creates the pool and starts its first worker, so that faults show before any work.
    func pool(
        _ settings: ProcessingSettings, _ container: SharedContainer, workers: Int
    ) async throws -> WorkerPool {
        try await started { () async throws(WorkerPoolError) in
            let pool = try makePool(settings, container, workers: workers)
            try await pool.warmUp()
            return pool
        }
    }

    /// Creates the inspector and starts its worker, so that faults show before any work.
    func inspector(_ settings: ProcessingSettings) async throws -> AttachmentInspector {
        try await started { () async throws(WorkerPoolError) in
            let inspector = try AttachmentInspector(
                settings: settings, enforcement: enforce, timeout: .seconds(timeout),
                sandbox: sandbox, logger: Logger(label: "thimble"))
            try await inspector.warmUp()
            return inspector
        }
    }

    /// Prints the error of a failed start, and exits with `ExitCode.unusable`.
    private func started<Workers>(
        _ start: () async throws(WorkerPoolError) -> Workers
    ) async throws -> Workers {
        do throws(WorkerPoolError) {
            return try await start()
        } catch {
            Terminal.complain("error: \(error)")
            throw ExitCode.unusable
        }
    }
}

extension Enforcement: ExpressibleByArgument {}
extension SandboxMode: ExpressibleByArgument {}

/// Number of attachments processed at once.
enum Jobs: ExpressibleByArgument {
    case auto
    case exactly(Int)

    static let fromEnvironment = EnvironmentDefault("jobs", Self.auto)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let count = Int(argument), 1...1024 ~= count {
            self = .exactly(count)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .auto: "auto"
        case .exactly(let count): "\(count)"
        }
    }

    /// The number; `auto` depends on cores and memory.
    func count(under cap: MemoryCap) -> Int {
        switch self {
        case .auto:
            AvailableMemory.workers(
                under: cap, cores: ProcessInfo.processInfo.activeProcessorCount,
                in: AvailableMemory.current())
        case .exactly(let count): count
        }
    }
}
