import ArgumentParser
import AttachmentService
import Foundation
import Logging
import ServiceOptions
import ThimbleOptions

/// `thimble-server doctor`: tries every part of a configuration.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Try store, broker, files, workers, ports and clock, and print what to do.",
        discussion: """
            Takes the options of the service, its environment and its file. Each line is one check: \
            'ok', 'warning' or 'failed', the part, what was found, and after '; ' what to do.

              store      writes an object thimble-doctor-…, reads it back and removes it
              broker     connects to each node, publishes and receives a message on a queue of its own
              files      container, tokens, allow-root, fetch-headers, profile
              cap        the mechanism that enforces it, and the memory of all workers
              worker     each worker processes a small picture under the cap
              sandbox    complete or not, as each process reports
              fetch      the transfer process starts; certificate authorities can be read
              port       both ports are free, or the service runs
              clock      not before the program, not moved meanwhile, near the store's

            Container, folders, buckets and queues are neither created nor changed, and nothing stays \
            behind. A service that runs is not disturbed. Run it as the user of the service: \
            root may do more.

            EXAMPLES
              thimble-server doctor --config /etc/thimble/server.json --container /var/lib/thimble
              thimble-server doctor --container C --publish s3://pictures/r --json

            EXIT CODES
              0   no check failed; there may be warnings
              1   a check failed
              64  the command line is wrong
              78  the configuration is invalid; the lines name field, value and range
              130 ended by SIGINT or SIGTERM, after the running check
            """)

    @Flag(help: "Print JSON.") var json = false

    @OptionGroup var flags: ServiceFlags

    func run() async throws {
        // A worker or a client may be gone before it is written to.
        signal(SIGPIPE, SIG_IGN)
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let loaded = await LoadedConfiguration.load(flags)
        var checks: [Diagnosis] = []
        let report = { (diagnosis: Diagnosis) in
            checks.append(diagnosis)
            if !json { print(diagnosis.line(\.printable)) }
        }
        loaded.errors.map(Diagnosis.init).forEach(report)
        var isComplete = true
        if loaded.errors.isEmpty {
            isComplete = await ServiceChecks(loaded.configuration).run(report)
        }
        let result = DiagnosisReport(checks)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(result), as: UTF8.self))
        }
        guard isComplete else { throw ExitCode(130) }
        guard loaded.errors.isEmpty else { throw ExitCode.invalidConfiguration }
        if result.status == .failed { throw ExitCode.unusable }
    }
}

extension Diagnosis {
    fileprivate init(_ error: ConfigurationError) {
        self = .failed(
            "options",
            error.value.map { "\(error.field) is \"\($0)\" (\(error.origin))" }
                ?? "\(error.field) cannot be used (\(error.origin))",
            remedy: "\(error.field) must be \(error.range)")
    }
}
