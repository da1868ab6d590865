import ArgumentParser
import ThimbleOptions

@main
struct ThimbleServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thimble-server",
        abstract: "Serve the stage, the attachments and their renditions over HTTP.",
        discussion: """
            A service around the same workers as 'thimble stage': payloads and attachments in, \
            renditions out, each worker under a hard memory cap and in a sandbox. Plain HTTP/1.1: \
            put a proxy in front for TLS. The API is described at /openapi.json. Health and metrics \
            are on a second port, which overload of the first does not reach.

            EXAMPLES
              thimble-server --container /var/lib/thimble
              thimble-server serve --help
              thimble-server try
              thimble-server check-config --config /etc/thimble/server.json
              thimble-server doctor --config /etc/thimble/server.json
              curl -d @payload.json -H 'Content-Type: application/json' localhost:8080/v1/stage
              curl -T photo.heic -X POST -H 'Content-Type: image/heic' localhost:8080/v1/attachments
              curl localhost:9090/metrics

            CONFIGURATION
              Every option can be a flag (--max-queue 64), an environment variable \
            (THIMBLE_SERVER_MAX_QUEUE=64) or a field of the JSON file that --config or \
            THIMBLE_SERVER_CONFIG names ({"max-queue": 64}); the first of these holds. Unknown names \
            are errors.

            SIGNALS
              SIGTERM and SIGINT stop accepting, finish what runs and end within --grace. SIGHUP reads \
            the tokens again.

            EXIT CODES
              0   ended by a signal, or the configuration is valid
              1   the container, a port or the workers cannot be used, or a check of doctor failed
              64  the command line is wrong
              78  the configuration is invalid; standard error names field, value and range
            """,
        version: "thimble-server \(Release.version)",
        subcommands: [
            Serve.self, Try.self, Work.self, Stage.self, Submit.self, Status.self, Dead.self,
            CheckConfig.self, Doctor.self,
        ],
        defaultSubcommand: Serve.self)
}

extension ExitCode {
    /// The container, a port or the workers cannot be used.
    static let unusable = ExitCode(1)
    /// The configuration is invalid: EX_CONFIG of sysexits.h.
    static let invalidConfiguration = ExitCode(78)
}
