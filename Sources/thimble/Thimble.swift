import ArgumentParser

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
              thimble batch --list urls.txt --container Container
              thimble stage --container Container < payload.json
              thimble check --payload payload.json --profile Content/Info.plist
              thimble inspect photo.heic
              thimble container show order-1042 --container Container
              thimble bench Photos --caps 12,24 --compare none

            ENVIRONMENT
              Settings can be given by environment variables: THIMBLE_ and the \
            option's name in capitals, such as THIMBLE_CAP=12MiB or THIMBLE_MAX_BYTES=1MB. There \
            are variables for the settings of renditions, and for --container, --report, --log-level, \
            --jobs, --enforce, --timeout, --sandbox, --payload-style, --note, --note-key, \
            --manifest-per-notification, --fetch, --deadline, --payload-limit and those of fetching \
            and publishing, with commas between several values; \
            check reads THIMBLE_REPORT only, and bench none. The command line overrides the \
            environment.

            EXIT CODES
              0   all done
              1   the container or a folder cannot be used, workers cannot start, or the \
            report cannot be written
              3   some attachments failed, or verification found damage
              64  the command line is wrong
            """,
        version: Version.text,
        subcommands: [
            Batch.self, Process.self, Stage.self, Check.self, Inspect.self, Container.self,
            Bench.self,
            BenchFlat.self,
        ])
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
