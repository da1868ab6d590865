import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentPublishing
import AttachmentStore
import AttachmentWorker
import Foundation

/// `thimble batch`: processes a folder or a list of pictures into a container.
struct Batch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Process every picture of a folder or a list.",
        discussion: """
            Every file of the folder and its subfolders becomes a notification. Its \
            identifier is the file's path relative to the folder. A path that is not UTF-8 becomes './' \
            and its percent-encoding. Files that did not change since \
            the last run with the same settings are recognised by their digest and skipped. \
            Files that are not pictures, by content and by name, are counted and skipped. A bad \
            picture is reported and never stops the rest.

            With --list, each line of a file is a path or an https URL. It is the identifier too, \
            except that a digest takes the place of a URL's query.

            With --publish or --publish-url, the rendition of every attachment is published, also of \
            those that are skipped because they are unchanged, and the report has its URL; with \
            --preset, all renditions are, and it has the URL of each.

            The JSON report is a stream: one object per file and line, written when the file is \
            done, and a last line with the totals in 'summary'. A file that failed has 'error', 'reason' \
            and 'remedy'. If the report can no longer be written, the batch ends with code 1.

            The HTML report is a contact sheet: every attachment before and after, with savings, rungs \
            and peaks, failures first. It is one file without scripts or styles elsewhere. Pictures are \
            loaded from the container while one scrolls, unless --embed-thumbnails puts small ones into \
            the page.

            Worker processes decode the pictures, each under the cap. A worker that exceeds \
            it, crashes or hangs is replaced, and its picture is retried one rung lower.

            EXAMPLES
              thimble batch Photos --container Container
              thimble batch Photos --container Container --jobs 4 --width 393 --quality 75
              thimble batch Photos --container Container --report json > report.ndjson
              thimble batch --list urls.txt --container Container --jobs 4
              thimble batch Photos --container Container --publish s3://pictures/r --report json
              thimble batch Photos --container Container --report html --report-file sheet.html
            """)

    @Argument(help: "The folder of pictures.", completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "File with one path or URL a line, in place of a folder; - for standard input.",
            valueName: "file"),
        completion: .file())
    var list: String?

    @OptionGroup var container: WritableContainerOption

    @Option(help: "Attachments processed at once, or auto: one per core, as far as memory allows.")
    var jobs = Jobs.fromEnvironment.value

    @Option(
        name: .customLong("report"),
        help: ArgumentHelp(
            "Report: text, json for one object per line, or html for a contact sheet.",
            valueName: "format"))
    var format = PageReportFormat.fromEnvironment.value

    @OptionGroup var page: PageReportFile

    @Flag(help: "Put the thumbnails into the contact sheet.")
    var embedThumbnails = false

    @OptionGroup(title: "Publishing") var publishing: PublishOptions
    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws {
        try Jobs.fromEnvironment.check()
        try PageReportFormat.fromEnvironment.check()
        _ = try page.file(for: format)
        guard !embedThumbnails || format == .html else {
            throw ValidationError("--embed-thumbnails needs --report html.")
        }
        try publishing.requireReachableURL()
        guard (folder == nil) != (list == nil) else {
            throw ValidationError("Name either a folder or a --list.")
        }
    }

    func run() async throws {
        common.bootstrapLogging()
        let settings = try settings.settings()
        let shared = try container.create()
        let batch = try batch(in: shared)
        let sheet = try contactSheet(in: shared, under: settings.cap)
        let jobs = jobs.count(under: settings.cap)
        let pool = try await workers.pool(settings, shared, workers: jobs)
        let processor = try orExit { () throws(StoreError) in
            try PublishingProcessor(pool, publishing, workers, in: shared)
        }
        let start = ContinuousClock.now
        let (summary, isWritten) = await interruptible {
            let total = batch.count()
            var progress = BatchProgress(total: total)
            var report = BatchReport(format.printed, sheet: sheet)
            // While the renditions of one file become durable, its worker decodes the next file.
            let isComplete = await batch.run(
                with: processor, jobs: 2 * jobs + processor.maximumTransfers
            ) { result in
                progress.advance(result)
                report.add(result)
                // Without a reader of the report, a long batch would go on in vain.
                if !report.isWritten { withUnsafeCurrentTask { $0?.cancel() } }
            }
            progress.finish()
            await processor.close()
            await pool.close()
            // Files may have come or gone since they were counted.
            let notBegun = isComplete ? 0 : max(1, (total ?? 0) - report.totals.files)
            let summary = BatchSummary(
                report.totals, notBegun: notBegun, in: shared, by: pool,
                elapsed: start.duration(to: .now))
            report.finish(summary)
            return (summary, report.isWritten)
        }
        guard isWritten else { throw ExitCode.unusable }
        if summary.notBegun > 0 { throw ExitCode.interrupted }
        if summary.failed + (summary.notPublished ?? 0) > 0 { throw ExitCode.someFailed }
    }

    private func contactSheet(
        in container: SharedContainer, under cap: MemoryCap
    ) throws -> ContactSheet? {
        guard let file = try page.file(for: format) else { return nil }
        return try orExit { () throws(SheetError) in
            try ContactSheet(
                at: file, of: folder, cap: cap.footprint, in: container,
                embedsThumbnails: embedThumbnails)
        }
    }

    private func batch(in container: SharedContainer) throws -> Items {
        if let folder {
            return .folder(
                try orExit { () throws(AttachmentError) in
                    try FolderBatch(
                        folder: URL(fileURLWithPath: folder, isDirectory: true),
                        container: container)
                })
        }
        guard let list, let lines = LineReader(list) else {
            let reason = String(cString: strerror(errno))
            Terminal.complain("error: \(list ?? ""): it cannot be opened: \(reason)")
            throw ExitCode.unusable
        }
        let fetcher = try fetching.fetcher(container, workers)
        return .list(ListBatch(lines: lines, source: AttachmentSource(fetcher: fetcher)))
    }

    /// The attachments of a batch.
    private enum Items: Sendable {
        case folder(FolderBatch)
        case list(ListBatch)

        /// The number of attachments; nil for a list, which is read only once.
        func count() -> Int? {
            switch self {
            case .folder(let batch): batch.count()
            case .list: nil
            }
        }

        func run(
            with processor: PublishingProcessor, jobs: Int, report: (BatchResult) -> Void
        ) async -> Bool {
            switch self {
            case .folder(let batch):
                return await batch.run(with: processor, jobs: jobs) {
                    report(BatchResult($0, processor.takePublication($0.item.identifier)))
                }
            case .list(let batch):
                // Transfers wait for servers, not for workers.
                let transfers = batch.source.fetcher.settings.maximumTransfers
                let isComplete = await batch.run(
                    with: processor, jobs: jobs + transfers, report: report)
                await batch.source.fetcher.close()
                return isComplete
            }
        }
    }
}
