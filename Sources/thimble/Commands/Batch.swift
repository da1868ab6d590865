import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import AttachmentWorker
import Foundation

/// `thimble batch`: processes a folder of pictures into a container.
struct Batch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Process every picture of a folder.",
        discussion: """
            Every file of the folder and its subfolders becomes a notification. Its \
            identifier is the file's path relative to the folder. A path that is not UTF-8 becomes './' \
            and its percent-encoding. Files that did not change since \
            the last run with the same settings are recognised by their digest and skipped. \
            Files that are not pictures, by content and by name, are counted and skipped. A bad \
            picture is reported and never stops the rest.

            Worker processes decode the pictures, each under the cap. A worker that exceeds \
            it, crashes or hangs is replaced, and its picture is retried one rung lower.

            EXAMPLES
              thimble batch Photos --container Container
              thimble batch Photos --container Container --jobs 4 --width 393 --quality 75
              thimble batch Photos --container Container --report json > report.json
            """)

    @Argument(help: "The folder of pictures.", completion: .directory)
    var folder: String

    @OptionGroup var container: WritableContainerOption

    @Option(help: "Attachments processed at once, or auto: one per core, as far as memory allows.")
    var jobs = Jobs.fromEnvironment.value

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws {
        try Jobs.fromEnvironment.check()
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
            results, of: batch.items.count, in: shared, by: pool, elapsed: start.duration(to: .now))
        switch report {
        case .text: summary.printSummary()
        case .json: try JSONOutput.print(summary)
        }
        if summary.notBegun > 0 { throw ExitCode.interrupted }
        if summary.failed > 0 { throw ExitCode.someFailed }
    }
}
