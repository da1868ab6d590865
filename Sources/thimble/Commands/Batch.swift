import ArgumentParser
import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import AttachmentWorker
import Foundation
import Logging

/// `thimble batch`: a folder of pictures becomes a container.
struct Batch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Process every picture of a folder.",
        discussion: """
            Every file of the folder, and of the folders in it, becomes a notification whose \
            identifier is the file's path relative to the folder; where it is not UTF-8, './' and the \
            path in percent-encoding. Files that did not change since \
            the last run with the same settings are recognised by their digest and left alone. \
            Files that are no pictures, by bytes and by name, are counted and left alone; a bad \
            picture is reported and never stops the rest.

            The pictures are decoded in worker processes, each under the cap. A worker that passes \
            it, crashes or hangs costs its picture one rung of quality, and is replaced.

            EXAMPLES
              thimble batch Photos --container Container
              thimble batch Photos --container Container --jobs 4 --width 393 --quality 75
              thimble batch Photos --container Container --report json > report.json
            """)

    @Argument(help: "The folder of pictures.", completion: .directory)
    var folder: String

    @OptionGroup var container: WritableContainerOption

    @Option(
        help: "Attachments under way at once, or auto: one a core, as many as there is memory for.")
    var jobs = Default.jobs.value

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    /// What the options are when they are not on the command line.
    private enum Default {
        static let jobs = EnvironmentDefault("jobs", Jobs.auto)
    }

    func validate() throws {
        try Default.jobs.check()
        try ReportFormat.fromEnvironment.check()
    }

    func run() async throws {
        common.bootstrapLogging()
        let settings = try settings.settings()
        let shared = try container.create()
        let batch = try orExit { () throws(AttachmentError) in
            try FolderBatch(
                folder: URL(fileURLWithPath: folder, isDirectory: true), container: shared)
        }
        let jobs = jobs.count(under: settings.cap)
        let pool = try await workers.pool(settings, shared, workers: jobs)
        let start = ContinuousClock.now
        let results = await interruptible {
            var progress = BatchProgress(total: batch.items.count)
            let results = await batch.run(with: pool, jobs: jobs) { progress.advance($0) }
            progress.finish()
            await pool.close()
            return results
        }
        let summary = BatchReport(
            results, of: batch.items.count, in: shared, by: pool,
            elapsed: start.duration(to: .now))
        switch report {
        case .text: summary.printSummary()
        case .json: try JSONOutput.print(summary)
        }
        if summary.notBegun > 0 { throw ExitCode.interrupted }
        if summary.failed > 0 { throw ExitCode.someFailed }
    }
}
