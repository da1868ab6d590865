import ArgumentParser
import AttachmentService
import Foundation
import Logging
import ServiceOptions

/// `thimble-server work`: a worker of a fleet.
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Take jobs of a fleet from the broker, until SIGTERM.",
        discussion: """
            Takes jobs from the queues of --broker, processes their attachments under the cap, puts \
            renditions and results into --publish, and answers. A job is acknowledged once its \
            result is stored; one of a lost worker comes again to another. Start it on as many \
            machines as necessary, with equal options.

            EXAMPLES
              THIMBLE_SERVER_BROKER=amqp://thimble:secret@queue-1,amqp://thimble:secret@queue-2 \
            thimble-server work --container /var/lib/thimble --publish s3://pictures/r
            """)

    @OptionGroup var flags: ServiceFlags

    func run() async throws {
        let configuration = try await Serve.prepare(flags)
        do {
            try await FleetService(configuration, logger: Logger(label: "thimble-server")).run()
        } catch {
            LogSink.standardError.flush()
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        LogSink.standardError.flush()
    }
}
