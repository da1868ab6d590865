import NotificationStaging
import ArgumentParser
import AttachmentFleet
import AttachmentModel
import AttachmentService
import Foundation
import JobBroker
import Logging
import ServiceOptions

/// `thimble-server submit`: jobs for a fleet.
struct Submit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Submit attachments to a fleet: a folder, a list, or those of payloads.",
        discussion: """
            Uploads the files to the store of --publish and publishes a job for each to --broker, \
            which confirms it. The identifier of a notification is the path relative to the folder, \
            or the line of the list, or for --payloads the URL of the picture: each is submitted \
            once, however many payloads name it. Results are in the store under results/.

            While a queue is full or the broker short of memory, it waits.

            --preset, --cap, --width, --scale, --render-budget, --quality and --max-bytes hold for the \
            jobs; without them, the settings of the workers do.

            With --record, an interrupted submission continues where it stopped. An equal job that \
            is submitted again is answered from the store, without work; by a failure only for its \
            lifetime, from none to a day.

            EXAMPLES
              thimble-server submit Photos --publish s3://pictures/r --record submitted
              thimble-server submit --list urls.txt --publish s3://pictures/r --queue transactional
              thimble-server submit --payloads campaign.ndjson --publish s3://pictures/r

            EXIT CODES
              0   every job is confirmed
              1   broker, store, folder or list cannot be used
              3   some attachments were not submitted; standard error gives the reasons
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "File with one path or URL a line, in place of a folder; - for standard input.",
            valueName: "file"))
    var list: String?

    @Option(
        help: ArgumentHelp(
            "File of payloads whose pictures are submitted; - for standard input.",
            valueName: "file"))
    var payloads: String?

    @Option(help: "campaign, or transactional for those that somebody waits for.")
    var queue = "campaign"

    @Option(help: ArgumentHelp("File of the confirmed jobs, to continue from.", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Time after which nobody needs a result; without it, for ever.", valueName: "seconds"))
    var lifetime: Double?

    @Option(help: "Jobs submitted at once.")
    var parallel = 16

    @OptionGroup var flags: ServiceFlags

    func validate() throws {
        guard [folder, list, payloads].compactMap(\.self).count == 1 else {
            throw ValidationError("Name a folder, a --list or --payloads, and only one of them.")
        }
        guard ["campaign", "transactional"].contains(queue) else {
            throw ValidationError("--queue must be campaign or transactional")
        }
        guard 1...1024 ~= parallel else {
            throw ValidationError("--parallel must be from 1 to 1024")
        }
    }

    func run() async throws {
        let configuration = try await Serve.prepare(flags, needsContainer: false)
        let logger = Logger(label: "thimble-server")
        let submission: FleetSubmission
        let messages: JobPublisher
        let items: SubmissionItems
        do {
            items = try SubmissionItems(
                folder: folder, list: list, payloads: payloads,
                style: configuration.payloads.staging.payloadStyle)
            messages = JobPublisher(try configuration.brokerSettings(), logger)
            submission = try FleetSubmission(
                files: try configuration.objectFiles(
                    in: FileManager.default.temporaryDirectory.path, jobs: parallel, logger),
                messages: messages, queue: JobQueue(rawValue: queue) ?? .campaign,
                settings: try configuration.jobSettings(),
                lifetime: lifetime.map { .seconds($0) }, record: record)
        } catch {
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        var progress = SubmissionProgress(total: items.count)
        for await (item, outcome) in results(of: items, by: submission) {
            progress.add(item, outcome)
        }
        progress.finish()
        await messages.close()
        if progress.failed > 0 { throw ExitCode(3) }
    }

    /// The outcomes in the order of their ends.
    private func results(
        of items: SubmissionItems, by submission: FleetSubmission
    ) -> AsyncStream<(FleetSubmission.Item, FleetSubmission.Outcome)> {
        AsyncStream { continuation in
            let parallel = parallel
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    var running = 0
                    var items = items
                    while let item = items.next(), !Task.isCancelled {
                        if running == parallel {
                            await group.next()
                            running -= 1
                        }
                        running += 1
                        group.addTask {
                            continuation.yield((item, await submission.submit(item)))
                        }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
