import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import AttachmentWorker
import Foundation

/// `thimble batch`: processes a folder of pictures into a container.
struct Batch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Process every picture of a folder.",
        discussion: """
            Every file of the folder and its subfolders becomes a notification. Its \
            identifier is the file's path relative to the folder. A path that is not UTF-8 becomes './' \
            and its percent-encoding. Files that did not change since \
            the last run with the same settings are recognised by their digest and skipped. \
            Files that are not pictures, by content and by name, are counted and skipped. A bad \
            picture is reported and never stops the rest.

            The JSON report is a stream: one object per file and line, written when the file is \
            done, and a last line with the totals in 'summary'. A file that failed has 'error', 'reason' \
            and 'remedy'. If the report can no longer be written, the batch ends with code 1.

            Worker processes decode the pictures, each under the cap. A worker that exceeds \
            it, crashes or hangs is replaced, and its picture is retried one rung lower.

            EXAMPLES
              thimble batch Photos --container Container
              thimble batch Photos --container Container --jobs 4 --width 393 --quality 75
              thimble batch Photos --container Container --report json > report.ndjson
            """)

    @Argument(help: "The folder of pictures.", completion: .directory)
    var folder: String

    @OptionGroup var container: WritableContainerOption

    @Option(help: "Attachments processed at once, or auto: one per core, as far as memory allows.")
    var jobs = Jobs.fromEnvironment.value

    @Option(
        name: .customLong("report"),
        help: "What to print on standard output: text, or json, one object per line.")
    var format = ReportFormat.fromEnvironment.value

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
        let (summary, isWritten) = await interruptible {
            let total = batch.count()
            var progress = BatchProgress(total: total)
            var report = BatchReport(format)
            // While the renditions of one file become durable, its worker decodes the next file.
            let isComplete = await batch.run(with: pool, jobs: 2 * jobs) { result in
                progress.advance(result)
                report.add(result)
                // Without a reader of the report, a long batch would go on in vain.
                if !report.isWritten { withUnsafeCurrentTask { $0?.cancel() } }
            }
            progress.finish()
            await pool.close()
            // Files may have come or gone since they were counted.
            let notBegun = isComplete ? 0 : max(1, total - report.totals.files)
            let summary = BatchSummary(
                report.totals, notBegun: notBegun, in: shared, by: pool,
                elapsed: start.duration(to: .now))
            report.finish(summary)
            return (summary, report.isWritten)
        }
        guard isWritten else { throw ExitCode.unusable }
        if summary.notBegun > 0 { throw ExitCode.interrupted }
        if summary.failed > 0 { throw ExitCode.someFailed }
    }
}
