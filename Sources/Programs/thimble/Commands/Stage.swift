import Logging
import ArgumentParser
import AttachmentModel
import AttachmentContainer
import AttachmentFetch
import AttachmentStore
import Foundation
import NotificationStaging
import ThimbleOptions

/// `thimble stage`: runs the pre-delivery stage as a filter of payloads.
struct Stage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stage",
        abstract: "Filter APNs payloads: process the pictures of each and add the outcome.",
        discussion: """
            Reads payloads from standard input and writes them to standard output: one JSON document, or \
            one per line, in order, as soon as each is done. The pictures of each are processed into the \
            container. A note, the object "thimble", describes the result: identifier, rendition, size, \
            ratio, placeholder, colour. Everything else stays byte for byte the same. The addition \
            never takes a payload past the size limit of APNs: fields of the note give way first, then \
            the note, and without room for the picture's URL the outcome is no-room, with the number of \
            bytes missing. A payload whose picture is not available keeps its own location and gets no note.

            Without --publish or --publish-url no phone can reach the renditions: they are files of this \
            machine's container, and the payload keeps the picture's own location.

            All notifications with a picture share its manifest, whose identifier the note has, and only \
            the first of them takes time. With --manifest-per-notification each has its own: under the \
            payload's thimble.id, unchanged, or under an identifier of an SDK, which recipients may \
            share, joined with a digest of the picture's location.

            Pictures with https URLs are fetched from public addresses, within the payload's deadline. \
            The container keeps them for as long as their servers allow. With --no-fetch, such payloads \
            get no picture.

            With --publish, the renditions that payloads name are put into a store first. The picture's \
            location is changed to the URL of the object once the store has it; if that takes longer than \
            --deadline, the payload keeps its own location. With --publish-url alone, the container's folder \
            of renditions is served under that URL, and renditions are kept for as long as 'container prune \
            --keep-published' says, from their last use.

            With --inline, the note also has the picture itself, as a small still of AV1, for devices that show \
            it before or without a download. It takes the bytes that the rest of the payload leaves: \
            if-room needs 600 of them, always drops other fields of the note, and only adds nothing but the \
            picture, publishes nothing, and leaves the picture's location alone.

            Payloads without a picture under the keys of --payload-style are counted, and standard error \
            names the first, once. If the style was named, the exit code is 3.

            Every payload is written. One that cannot be processed is passed on unchanged, \
            and standard error gives line, location and reason, one line each. After 1,000 refused lines in succession, \
            further ones share one report.

            EXAMPLES
              thimble stage --container Container < payload.json > staged.json
              thimble stage --container Container --profile Content/Info.plist < payloads.ndjson
              thimble stage --container Container --payload-style fcm --allow-root /var/media < in.json
              thimble stage --container Container --payload-style ./keys.json --note-key data.picture < in.json
              thimble stage --container Container --publish-url https://cdn.example/r --no-note < in.json
              thimble stage --container Container --inline if-room < in.json
              thimble stage --container Container --publish s3://pictures/r < in.ndjson
              thimble stage --container Container --publish /srv/r --publish-url https://e.example/r < in.json

            EXIT CODES
              0   every attachment was processed as requested
              1   nothing could be processed: the payloads were passed on unchanged
              3   some payloads got less than requested, or have no picture under the keys of a \
            named --payload-style; standard error gives the reasons
            """)

    @OptionGroup var container: WritableContainerOption

    @OptionGroup(title: "Payloads") var stage: StageOptions
    @OptionGroup(title: "Publishing") var publishing: PublishOptions

    @OptionGroup var jobs: JobsOption

    @Option(help: "Format of reports on standard error: text, or json for one object per payload.")
    var report = ReportFormat.fromEnvironment.value

    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws {
        try publishing.requireReachableURL()
        try ReportFormat.fromEnvironment.check()
    }

    func run() async throws {
        common.bootstrapLogging()
        // The reader may exit first. Write then fails with EPIPE instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        let settings = try settings.settings()
        let jobs = try jobs.count(under: settings.cap)
        let payloads = try stage.choices()
        let logging = try common.choices()
        let stages: StageWorkers
        let stager: PayloadStager
        let fetcher: AttachmentFetcher?
        let publisher: ObjectPublisher?
        do {
            let shared = try container.make()
            let store = try publishing.choices()
            publisher = try store.publisher(
                in: shared, workers.choices().sandbox, Logger(label: "thimble"))
            stages = try StageWorkers(payloads, settings, shared, workers, jobs: jobs)
            fetcher = payloads.fetches ? try fetching.fetcher(shared, workers) : nil
            stager = try PayloadStager(
                stages.stages, fetcher: fetcher,
                publishing: store.place(publisher, in: shared), settings: payloads.staging,
                inlinePictures: stages.inlinePictures)
        } catch {
            Self.complain(error)
            await PayloadStream.passThrough()
            throw ExitCode.unusable
        }
        let start = WorkerStart({ try await stages.warmUp() }, complain: Self.complain)
        let (summary, isInterrupted) = await interruptible { [self] in
            // Transfers wait for servers, not for workers.
            let deliveries =
                jobs + (fetcher?.settings.maximumTransfers ?? 0)
                + (publisher?.settings.maximumRequests ?? 0)
            let filter = PayloadFilter(stager, start, logsWholeURLs: logging.wholeURLs)
            let summary = await PayloadStream(filter, jobs: deliveries).run { printReport($0) }
            let isInterrupted = Task.isCancelled
            if !isInterrupted { _ = await start.succeeded }
            await stages.close()
            await fetcher?.close()
            await publisher?.close()
            return (summary, isInterrupted)
        }
        if start.hasFailed { throw ExitCode.unusable }
        printSummary(summary)
        if isInterrupted { throw ExitCode.interrupted }
        if summary.failures > 0 || summary.hasMissed(payloads.staging.payloadStyle) {
            throw ExitCode.someFailed
        }
    }

    private static func complain(_ error: any Error) {
        Terminal.complain("error: \(error); the payloads are passed on unchanged")
    }

    private func printReport(_ payload: StageReport) {
        switch report {
        case .text: for line in payload.lines { Terminal.complain(line) }
        case .json: printJSON(payload)
        }
    }

    private func printSummary(_ summary: StageSummary) {
        guard !summary.unmatched.isEmpty else { return }
        switch report {
        case .text: for line in summary.lines { Terminal.complain(line) }
        case .json: printJSON(summary)
        }
    }

    private func printJSON(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(value) else { return }
        Terminal.complain(String(decoding: line, as: UTF8.self))
    }
}
