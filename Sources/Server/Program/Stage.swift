import ArgumentParser
import AttachmentService
import Foundation
import Logging
import ServiceOptions

/// `thimble-server stage`: the stage for payloads, by a fleet.
struct Stage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stage",
        abstract: "Stage payloads from standard input with pictures made by a fleet.",
        discussion: """
            Like 'thimble stage', which has workers of its own: payloads in, one or one a line, and \
            payloads out in the same order, with the URL of the rendition in --publish and a note on \
            it. Pictures are fetched here, processed by the workers of --broker, and kept in \
            --container. A payload whose picture is not ready within --deadline keeps its own URL.

            The service does the same for POST /v1/stage with --fleet.

            EXAMPLES
              thimble-server stage --container C --publish s3://pictures/r < payloads.ndjson

            EXIT CODES
              0   all payloads were written
              1   the container, the broker's URL or the store cannot be used
            """)

    @OptionGroup var flags: ServiceFlags

    func run() async throws {
        let configuration = try await Serve.prepare(flags)
        do {
            let filter = try FleetFilter(configuration, logger: Logger(label: "thimble-server"))
            try await filter.run()
        } catch {
            LogSink.standardError.flush()
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        LogSink.standardError.flush()
    }
}
