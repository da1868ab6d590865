import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import Logging
import ThimbleOptions

/// Options of workers, shared by all commands that start some.
struct WorkerOptions: ParsableArguments {
    @OptionGroup var flags: WorkerFlags

    func validate() throws { _ = try choices() }

    func choices() throws(ValidationError) -> WorkerChoices { try Self.choices(flags) }

    /// The values of the command line and the environment; nil flags for the latter alone.
    static func choices(_ flags: WorkerFlags?) throws(ValidationError) -> WorkerChoices {
        var choices = WorkerChoices()
        try WorkerOption.all.read(flags, .thimble, into: &choices)
        return choices
    }

    func makePool(
        _ settings: ProcessingSettings, _ container: SharedContainer, workers: Int
    ) throws -> WorkerPool {
        let choices = try choices()
        return try WorkerPool(
            settings: settings, container: container, workers: workers,
            enforcement: choices.enforcement, timeout: .seconds(choices.timeout),
            sandbox: choices.sandbox, earlyWorker: Thimble.earlyWorker, threads: choices.threads,
            logger: Logger(label: "thimble"))
    }

    /// Creates the pool and starts its first worker, so that faults show before any work.
    func pool(
        _ settings: ProcessingSettings, _ container: SharedContainer, workers: Int
    ) async throws -> WorkerPool {
        try await started {
            let pool = try makePool(settings, container, workers: workers)
            try await pool.warmUp()
            return pool
        }
    }

    /// Creates the inspector and starts its worker, so that faults show before any work.
    func inspector(_ settings: ProcessingSettings) async throws -> AttachmentInspector {
        try await started {
            let choices = try choices()
            let inspector = try AttachmentInspector(
                settings: settings, enforcement: choices.enforcement,
                timeout: .seconds(choices.timeout), sandbox: choices.sandbox,
                logger: Logger(label: "thimble"))
            try await inspector.warmUp()
            return inspector
        }
    }

    /// Prints the error of a failed start, and exits with `ExitCode.unusable`.
    private func started<Workers>(_ start: () async throws -> Workers) async throws -> Workers {
        do {
            return try await start()
        } catch let error as WorkerPoolError {
            Terminal.complain("error: \(error)")
            throw ExitCode.unusable
        }
    }
}

/// The number of attachments processed at once.
struct JobsOption: ParsableArguments, Sendable {
    @Option(JobCount.option) var text: String?

    func validate() throws { _ = try count() }

    private func count() throws(ValidationError) -> Int {
        var count = JobCount()
        try JobCount.option.read(self, .thimble, into: &count)
        return count.value
    }

    /// The number; `auto` depends on cores and memory.
    func count(under cap: MemoryCap) throws -> Int {
        WorkerOption.jobCount(try count(), under: cap)
    }
}

private struct JobCount: OptionTarget {
    /// 0 for `auto`.
    var value = 0

    static let option: OptionDeclaration<JobsOption, JobCount> = WorkerOption.jobs(
        \.text, \.value)
}
