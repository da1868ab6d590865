import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentStore
import AttachmentWorker
import Foundation
import ThimbleOptions

/// `thimble process`: processes single files under identifiers of the caller's choice, or new ones.
struct Process: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "process",
        abstract: "Process single attachments, each under an identifier.",
        discussion: """
            An attachment is a path or an https URL. Without --id, each gets a new identifier, which \
            is printed. With --publish or --publish-url, the URL of the \
            rendition for devices is printed, once the store has it; with --preset those of all \
            renditions.

            EXAMPLES
              thimble process photo.heic --container Container
              thimble process photo.heic --container Container --id order-1042
              thimble process a.jpg b.png --container Container --id first --id second
              thimble process photo.heic --container Container --id 7 --report json
              thimble process photo.heic --container Container --id 7 --publish s3://pictures/r
              thimble process photo.heic --container Container --id 7 --preset content \
                --preset android-big-picture --preset web-push
            """)

    @Argument(help: "The attachments, as paths or URLs.", completion: .file())
    var files: [String]

    @OptionGroup var container: WritableContainerOption

    @Option(
        name: .customLong("id"),
        help: "The notification's identifier; once for each file, in the same order, or for none.")
    var identifiers: [String] = []

    @Option(help: "The notification's category, as the content extension declares it.")
    var category: String?

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @OptionGroup(title: "Publishing") var publishing: PublishOptions
    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws {
        try ReportFormat.fromEnvironment.check()
        try publishing.requireReachableURL()
        guard identifiers.isEmpty || identifiers.count == files.count else {
            throw ValidationError(
                "\(files.count) files need one --id each, but there are \(identifiers.count).")
        }
    }

    func run() async throws {
        common.bootstrapLogging()
        let settings = try settings.settings()
        let shared = try container.create()
        let source = AttachmentSource(fetcher: try fetching.fetcher(shared, workers))
        let pool = try await workers.pool(settings, shared, workers: 1)
        let (store, choices) = (try publishing.choices(), try workers.choices())
        let processor = try orExit { () throws(StoreError) in
            try PublishingProcessor(pool, store, choices, in: shared)
        }
        let results = await interruptible { [self] in
            let results = await process(from: source, by: processor)
            await processor.close()
            await pool.close()
            await source.fetcher.close()
            return results
        }
        let summary = ProcessReport(results, by: pool)
        switch report {
        case .text: summary.printTerms()
        case .json: try JSONOutput.print(summary)
        }
        if results.count < files.count { throw ExitCode.interrupted }
        guard results.allSatisfy({ $0.error == nil }) else { throw ExitCode.someFailed }
    }

    private func process(
        from source: AttachmentSource, by processor: PublishingProcessor
    ) async -> [ProcessReport.Attachment] {
        var results: [ProcessReport.Attachment] = []
        let identifiers =
            identifiers.isEmpty ? files.map { _ in UUID().uuidString.lowercased() } : identifiers
        for (file, identifier) in zip(files, identifiers) where !Task.isCancelled {
            do throws(SourceFailure) {
                let done = try await process(file, identifier, from: source, by: processor)
                let publication = processor.takePublication(identifier)
                results.append(ProcessReport.Attachment(done, file: file, publication))
                if report == .text { ManifestText.print(done.manifest) }
                switch publication {
                case .success(let urls):
                    if report == .text { for line in urls.lines { TextOutput.print(line) } }
                case .failure(let failure): Terminal.complain("failed: \(failure.message)")
                case nil: break
                }
            } catch {
                Terminal.complain("failed: \(error.message)")
                guard !error.isCancellation else { break }
                results.append(ProcessReport.Attachment(error, file: file))
            }
        }
        return results
    }

    private func process(
        _ file: String, _ identifier: String, from source: AttachmentSource,
        by processor: PublishingProcessor
    ) async throws(SourceFailure) -> ProcessedAttachment {
        let request = try await source.request(file, identifier: identifier, category: category)
        do throws(AttachmentError) {
            return try await processor.process(request)
        } catch {
            throw SourceFailure(error)
        }
    }
}
