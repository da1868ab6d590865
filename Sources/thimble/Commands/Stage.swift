import ArgumentParser
import AttachmentContainer
import Foundation

/// `thimble stage`: the pre-delivery call as a filter of payloads.
struct Stage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Filter APNs payloads: process what each names, and say in it what became of it.",
        discussion: """
            Payloads come in on standard input and go out on standard output: one JSON document, or \
            one a line, in order, as soon as each is done. The picture of each is processed into the \
            container, and an object "thimble" says how to show it: identifier, rendition, size \
            ratio, placeholder, colour; or the reason why there is none. Everything else stays byte \
            for byte, and what is added never takes a payload past what APNs takes.

            The notification's identifier is the payload's thimble.id, to the letter. An identifier \
            of an SDK, which recipients may share, is joined with a digest of the picture's place.

            A payload always comes out, whatever happens: what cannot be processed goes on as it came, \
            and standard error says why, a line each; lines behind 1,000 refused ones in succession \
            are told together.

            EXAMPLES
              thimble stage --container Container < payload.json > staged.json
              thimble stage --container Container --profile Content/Info.plist < payloads.ndjson
              thimble stage --container Container --payload-style fcm --allow-root /var/media < in.json

            EXIT CODES
              0   every picture came out as asked for
              1   nothing could be processed: the payloads were passed on unchanged
              3   some payloads got less than was asked for; standard error says why
            """)

    @OptionGroup var container: WritableContainerOption

    @OptionGroup(title: "Payloads") var stage: StageOptions

    @Option(
        help: "Payloads under way at once, or auto: one a core, as many as there is memory for.")
    var jobs = Default.jobs.value

    @Option(help: "How to report on standard error: text, or json for an object a payload.")
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
        // Who reads may end first; writing then says so, and must not end this process.
        signal(SIGPIPE, SIG_IGN)
        let jobs = jobs.count(under: settings.cap)
        let shared: SharedContainer
        let stages: StageSelection
        do {
            shared = try container.make()
            stages = try await StageSelection(
                stage, try settings.settings(), shared, workers, jobs: jobs)
        } catch {
            Terminal.complain("error: \(error); the payloads are passed on unchanged")
            await PayloadStream.passThrough()
            throw ExitCode.unusable
        }
        let (failures, isInterrupted) = await interruptible { [self] in
            let stream = PayloadStream(PayloadFilter(shared, stages, stage), jobs: jobs)
            let failures = await stream.run { tell($0) }
            await stages.close()
            return (failures, Task.isCancelled)
        }
        if isInterrupted { throw ExitCode.interrupted }
        if failures > 0 { throw ExitCode.someFailed }
    }

    private func tell(_ payload: StageReport) {
        switch report {
        case .text: for line in payload.lines { Terminal.complain(line) }
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let line = try? encoder.encode(payload) else { return }
            Terminal.complain(String(decoding: line, as: UTF8.self))
        }
    }
}
