import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import ThimbleOptions

/// `thimble doctor`: tries everything that the commands need on this machine.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Try cap, workers, sandbox, scratch disk and optional programs.",
        discussion: """
            Each line is one check: 'ok', 'warning' or 'failed', the part, the finding, and after '; ' \
            the remedy. Nothing stays behind. Give the options that your other commands have.

              cap        the mechanism that enforces it, and the memory of all workers
              worker     each worker processes a small picture under the cap
              sandbox    complete or not, as each process reports
              scratch    the folder of scratch files is on a disk, and has room
              fetch      the transfer process starts; certificate authorities can be read
              ffmpeg     makes poster frames of movies
              chromium   draws previews as pictures

            EXAMPLES
              thimble doctor
              thimble doctor --cap 12MiB --enforce cgroup --report json

            EXIT CODES
              0   pictures can be processed; there may be warnings
              1   the cap or the workers failed
              130 interrupted
            """)

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @OptionGroup var jobs: JobsOption
    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws { try ReportFormat.fromEnvironment.check() }

    func run() async throws {
        common.bootstrapLogging()
        // A worker may be gone before it is written to.
        signal(SIGPIPE, SIG_IGN)
        let settings = try settings.settings()
        let scratch = try ScratchContainer.ofCommand()
        defer { scratch.remove() }
        let checks = try checks(settings, in: scratch)
        let (found, isComplete) = await interruptible { [self] in
            var found: [Diagnosis] = []
            for check in checks where !Task.isCancelled {
                for diagnosis in await check.diagnoses() {
                    found.append(diagnosis)
                    if report == .text { TextOutput.print(diagnosis.line { $0 }) }
                }
            }
            return (found, !Task.isCancelled)
        }
        let result = DiagnosisReport(found)
        if report == .json { try JSONOutput.print(result) }
        guard isComplete else { throw ExitCode.interrupted }
        guard result.status != .failed else { throw ExitCode.unusable }
    }

    private func checks(
        _ settings: ProcessingSettings, in scratch: ScratchContainer
    ) throws -> [any Checking] {
        let choices = try workers.choices()
        let folder =
            settings.scratchFolder ?? scratch.container.root.deletingLastPathComponent().path
        return [
            CapCheck(
                settings.cap, by: choices.enforcement, jobs: try jobs.count(under: settings.cap)),
            WorkerCheck(settings, choices, withLibvips: false, in: scratch),
            WorkerCheck(settings, choices, withLibvips: true, in: scratch),
            OptionalCheck(ScratchCheck(folder, maximum: settings.maximumScratchBytes)),
            OptionalCheck(
                FetchCheck(try fetching.choices(), sandbox: choices.sandbox, in: scratch)),
            ProgramCheck(
                "ffmpeg", at: FrameGrabber.installed()?.executable.path,
                without: "movies get no poster frames"),
            ProgramCheck(
                "chromium", at: ChromiumPicture.installed, without: "thimble preview draws no PNG"),
        ]
    }
}

/// A check of something that processing files does without: its failures are warnings.
private struct OptionalCheck: Checking {
    private let check: any Checking

    init(_ check: any Checking) { self.check = check }

    func diagnoses() async -> [Diagnosis] {
        await check.diagnoses().map { diagnosis in
            guard diagnosis.status == .failed, let remedy = diagnosis.remedy else {
                return diagnosis
            }
            return .warning(
                diagnosis.part, "not available: \(diagnosis.found)", remedy: remedy)
        }
    }
}

/// An optional program of the system.
private struct ProgramCheck: Checking {
    private let name: String
    private let path: String?
    private let consequence: String

    init(_ name: String, at path: String?, without consequence: String) {
        (self.name, self.path, self.consequence) = (name, path, consequence)
    }

    func diagnoses() async -> [Diagnosis] {
        guard let path else {
            return [
                .warning(name, "not available: \(consequence)", remedy: "install \(name)")
            ]
        }
        return [.ok(name, path)]
    }
}
