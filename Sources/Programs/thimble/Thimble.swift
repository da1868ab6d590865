import ArgumentParser
import AttachmentModel
import AttachmentWorker
import Foundation
import ThimbleOptions

@main
struct Thimble: AsyncParsableCommand {
    // All commands state their names: the parser would take a millisecond to derive them from the types.
    static let configuration = CommandConfiguration(
        commandName: "thimble",
        abstract: "Make push-notification attachments fit.",
        discussion: """
            Thimble turns pictures into renditions that a notification content extension can show \
            immediately, and publishes them in a shared container.

            EXAMPLES
              thimble batch Photos --container Container
              thimble process photo.heic --container Container --id order-1042
              thimble convert photo.heic -o photo.jpg
              thimble batch --list urls.txt --container Container
              thimble stage --container Container < payload.json
              thimble check --payload payload.json --profile Content/Info.plist
              thimble init --for xcode --bundle-id org.example.daily
              thimble inspect photo.heic
              thimble preview photo.heic
              thimble container show order-1042 --container Container
              thimble bench Photos --caps 12,24 --compare none

            ENVIRONMENT
              Settings can be given by environment variables: THIMBLE_ and the \
            option's name in capitals, such as THIMBLE_CAP=12MiB or THIMBLE_MAX_BYTES=1MB. There \
            are variables for the options of renditions, payloads, fetching, publishing and workers, and for \
            --container, --jobs, --log-level, --log-urls, --push-type and --report, with commas between \
            several values (colons between paths), and yes or no for --note and --no-note; \
            check reads THIMBLE_REPORT only, and bench none. The command line overrides the \
            environment. THIMBLE_PROGRAMS is the folder of the worker programs, if it is not that of \
            the command. Other variables of this prefix are refused.

            EXIT CODES
              0   all done
              1   the container or a folder cannot be used, workers cannot start, or the \
            report cannot be written
              3   some attachments failed, or verification found damage
              64  the command line is wrong
            """,
        version: VersionReport.firstLine,
        subcommands: [
            Batch.self, Process.self, Convert.self, Stage.self, Check.self, Inspect.self,
            Preview.self,
            Container.self,
            Bench.self,
            BenchFlat.self, Init.self, Doctor.self, Completions.self,
        ])

    /// Started before the command line is parsed; nil for most commands.
    @TaskLocal static var earlyWorker: EarlyWorker?

    static func main() async {
        let early = startsEarly ? Self.early() : nil
        let failure = await $earlyWorker.withValue(early) { await runCommand() }
        await early?.end()
        if let failure { exit(withError: failure) }
    }

    /// True for `stage`, which always starts a worker, unless options rule out the one started early.
    ///
    /// Parsing takes 9 ms, a tenth of the time of a first payload (`bench/results/latency.md`).
    private static var startsEarly: Bool {
        let arguments = CommandLine.arguments.dropFirst()
        let ruling = ["--cap", "--enforce", "--engine", "--help", "-h"]
        return arguments.first == Stage.configuration.commandName
            && !arguments.contains { word in ruling.contains { word.hasPrefix($0) } }
    }

    /// A worker with the settings of the environment; nil if another is needed.
    private static func early() -> EarlyWorker? {
        guard let settings = try? SettingsOptions.settings(nil), settings.engine != .libvips,
            let workers = try? WorkerOptions.choices(nil)
        else { return nil }
        return EarlyWorker(cap: settings.cap, enforcement: workers.enforcement)
    }

    /// The command of the command line.
    ///
    /// `stage` is parsed alone first, because the tree of commands takes a millisecond or two more.
    private static func parsed() async throws -> any ParsableCommand {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == Stage.configuration.commandName,
            let stage = try? await Stage.asyncParse(Array(arguments.dropFirst()))
        {
            return stage
        }
        // Explains errors, and knows the options of the whole program.
        return try await asyncParseAsRoot(arguments)
    }

    /// Parses the command line and runs its command; returns its error.
    private static func runCommand() async -> (any Error)? {
        do {
            try EnvironmentName.check(ProcessInfo.processInfo.environment.keys)
            // The parser's version is a text, made before anything can be asked.
            guard CommandLine.arguments.dropFirst() != ["--version"] else {
                await VersionReport.print()
                return nil
            }
            var command = try await parsed()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return nil
        } catch {
            return error
        }
    }
}

/// Exit codes other than success and the parser's 64.
extension ExitCode {
    /// The container or a folder cannot be used, and nothing was done.
    static let unusable = ExitCode(1)
    /// Some attachments failed, or verification found damage.
    static let someFailed = ExitCode(3)
    /// Interrupted: 128 plus SIGINT, as in shells.
    static let interrupted = ExitCode(130)
}
