import ArgumentParser
import AttachmentFleet
import AttachmentService
import Foundation
import JobBroker
import Logging
import ServiceOptions

/// `thimble-server submit`: jobs for a fleet.
struct Submit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Submit attachments to a fleet: a folder, or a list of paths and URLs.",
        discussion: """
            Uploads the files to the store of --publish and publishes a job for each to --broker, \
            which confirms it. The identifier of a notification is the path relative to the folder, \
            or the line of the list. Results are in the store under results/.

            With --record, an interrupted submission continues where it stopped. An equal job that \
            is submitted again is answered from the store, without work.

            EXAMPLES
              thimble-server submit Photos --publish s3://pictures/r --record submitted
              thimble-server submit --list urls.txt --publish s3://pictures/r --queue transactional

            EXIT CODES
              0   every job is confirmed
              1   broker or store cannot be used
              3   some attachments were not submitted; standard error gives the reasons
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "File with one path or URL a line, in place of a folder; - for standard input.",
            valueName: "file"))
    var list: String?

    @Option(help: "campaign, or transactional for those that somebody waits for.")
    var queue = "campaign"

    @Option(help: ArgumentHelp("File of the confirmed jobs, to continue from.", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Time after which nobody needs a result; without it, for ever.", valueName: "seconds"))
    var lifetime: Double?

    @Option(help: ArgumentHelp("Preset of the workers' settings.", valueName: "name"))
    var preset: String?

    @Option(help: "Jobs submitted at once.")
    var parallel = 16

    @OptionGroup var flags: ServiceFlags

    func validate() throws {
        guard (folder == nil) != (list == nil) else {
            throw ValidationError("Name either a folder or a --list.")
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
        do {
            messages = JobPublisher(try configuration.brokerSettings(), logger)
            var settings = FleetSettings()
            settings.preset = preset
            submission = try FleetSubmission(
                files: try configuration.objectFiles(
                    in: FileManager.default.temporaryDirectory.path, jobs: parallel, logger),
                messages: messages, queue: JobQueue(rawValue: queue) ?? .campaign,
                settings: settings, lifetime: lifetime.map { .seconds($0) }, record: record)
        } catch {
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        var progress = SubmissionProgress()
        for await (item, outcome) in results(of: submission) { progress.add(item, outcome) }
        progress.finish()
        await messages.close()
        if progress.failed > 0 { throw ExitCode(3) }
    }

    /// The outcomes in the order of their ends.
    private func results(
        of submission: FleetSubmission
    ) -> AsyncStream<(FleetSubmission.Item, FleetSubmission.Outcome)> {
        AsyncStream { continuation in
            let (folder, list, parallel) = (folder, list, parallel)
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    var running = 0
                    var items = SubmissionItems(folder: folder, list: list)
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

/// The attachments of a folder in the order of their paths, or those of a list.
private struct SubmissionItems {
    private var paths: FileManager.DirectoryEnumerator?
    private let folder: String
    private var readsList = false

    init(folder: String?, list: String?) {
        self.folder = folder ?? ""
        if let folder {
            paths = FileManager.default.enumerator(atPath: folder)
        } else if let list {
            readsList = list == "-" || Self.takeAsInput(list)
        }
    }

    /// Makes a file the standard input; false if it cannot be opened.
    private static func takeAsInput(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            Serve.complain("\(path): it cannot be opened: \(String(cString: strerror(errno)))")
            return false
        }
        defer { close(descriptor) }
        return dup2(descriptor, STDIN_FILENO) >= 0
    }

    mutating func next() -> FleetSubmission.Item? {
        while let path = paths?.nextObject() as? String {
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            let isFile = paths?.fileAttributes?[.type] as? FileAttributeType == .typeRegular
            guard isFile, !isHidden else { continue }
            return .init(identifier: path, location: "\(folder)/\(path)")
        }
        guard readsList else { return nil }
        while let line = readLine() {
            if !line.isEmpty { return .init(identifier: line, location: line) }
        }
        return nil
    }
}

/// Progress on standard error, once a second, and the summary.
private struct SubmissionProgress {
    private(set) var failed = 0
    private var submitted = 0
    private var known = 0
    private let begun = ContinuousClock.now
    private var lastLine = ContinuousClock.now

    mutating func add(_ item: FleetSubmission.Item, _ outcome: FleetSubmission.Outcome) {
        switch outcome {
        case .submitted: submitted += 1
        case .known: known += 1
        case .failed(let reason):
            failed += 1
            Serve.complain("\(item.identifier.printable): \(reason)")
        }
        guard lastLine.duration(to: .now) >= .seconds(1) else { return }
        lastLine = .now
        say(counts)
    }

    func finish() { say(counts) }

    private var counts: String {
        let seconds = max(0.001, begun.duration(to: .now) / .seconds(1))
        let rate = Int(Double(submitted) / seconds)
        return "\(submitted) submitted, \(known) known, \(failed) failed; \(rate) a second"
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
