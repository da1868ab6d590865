import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentPublishing
import AttachmentStore
import AttachmentWorker
import Foundation
import ThimbleOptions

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
            picture is reported and never stops the rest. Folders that cannot be listed are named and \
            counted, and make the exit code 3. An interrupted batch says how many files are not done; the \
            same command goes on with them. A container without room ends the batch with code 1.

            With --list, each line of a file is a path or an https URL. It is the identifier too, \
            except that a digest takes the place of a URL's query.

            The summary groups failures by cause. With --verbose, standard error has a line per file.

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

            EXIT CODES
              0    every file was processed, or is not a picture
              1    the container cannot be used or has no room, or the report cannot be written
              3    some files failed, or some folders could not be listed
              130  interrupted; the same command goes on
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

    @OptionGroup var jobs: JobsOption

    @Option(
        name: .customLong("report"),
        help: ArgumentHelp(
            "Report: text, json for one object per line, or html for a contact sheet.",
            valueName: "format"))
    var format = PageReportFormat.fromEnvironment.value

    @OptionGroup var page: PageReportFile

    @Flag(help: "Print no progress, and a summary only if something failed.")
    var quiet = false

    @Flag(help: "Print a line for every file on standard error.")
    var verbose = false

    @Flag(help: "Put the thumbnails into the contact sheet.")
    var embedThumbnails = false

    @OptionGroup(title: "Publishing") var publishing: PublishOptions
    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws {
        try PageReportFormat.fromEnvironment.check()
        _ = try page.file(for: format)
        guard !embedThumbnails || format == .html else {
            throw ValidationError("--embed-thumbnails needs --report html.")
        }
        guard !quiet || !verbose else {
            throw ValidationError("--quiet and --verbose exclude each other.")
        }
        try publishing.requireReachableURL()
        guard (folder == nil) != (list == nil) else {
            throw ValidationError("Name either a folder or a --list.")
        }
    }

    private var detail: BatchProgress.Detail {
        quiet ? .quiet : verbose ? .verbose : .normal
    }

    func run() async throws {
        common.bootstrapLogging()
        let settings = try settings.settings()
        let shared = try container.create()
        let batch = try batch(in: shared)
        let sheet = try contactSheet(in: shared, under: settings.cap)
        let jobs = try jobs.count(under: settings.cap)
        let pool = try await workers.pool(settings, shared, workers: jobs)
        let (store, choices) = (try publishing.choices(), try workers.choices())
        let processor = try orExit { () throws(StoreError) in
            try PublishingProcessor(pool, store, choices, in: shared)
        }
        let start = ContinuousClock.now
        let (summary, isWritten) = await interruptible {
            let total = batch.count()
            var progress = BatchProgress(total: total, detail)
            var report = BatchReport(format.printed, isQuiet: quiet, sheet: sheet)
            // The reason that the container can store nothing more.
            var fault: String?
            // While the renditions of one file become durable, its worker decodes the next file.
            let isComplete = await batch.run(
                with: processor, jobs: 2 * jobs + processor.maximumTransfers
            ) { result in
                if result.isStorageFailure, fault == nil {
                    fault = ContainerRoom(container: shared).fault
                }
                if result.isCancelled || fault != nil && result.isStorageFailure {
                    report.addNotDone()
                } else {
                    progress.advance(result)
                    report.add(result)
                }
                // Without a reader of the report, or room, a long batch would go on in vain.
                if !report.isWritten || fault != nil { withUnsafeCurrentTask { $0?.cancel() } }
            }
            progress.finish()
            await processor.close()
            await pool.close()
            // Files may have come or gone since they were counted.
            let totals = report.totals
            let seen = totals.files + totals.unreadableFolders + totals.notDone
            let notBegun = isComplete ? 0 : max(totals.notDone > 0 ? 0 : 1, (total ?? 0) - seen)
            let summary = BatchSummary(
                totals, notDone: totals.notDone + notBegun, in: shared, by: pool,
                elapsed: start.duration(to: .now))
            report.finish(summary)
            if let fault {
                Terminal.complain(
                    "error: the container \(shared.root.path) can store nothing more: \(fault); "
                        + "free 10 MB or more, then run the same command to go on")
            }
            return (summary, report.isWritten && fault == nil)
        }
        guard isWritten else { throw ExitCode.unusable }
        if summary.notDone > 0 { throw ExitCode.interrupted }
        if summary.hasFailures { throw ExitCode.someFailed }
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
        let logging = try common.choices()
        return .list(
            ListBatch(
                lines: lines, source: AttachmentSource(fetcher: fetcher),
                logsWholeURLs: logging.wholeURLs))
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
