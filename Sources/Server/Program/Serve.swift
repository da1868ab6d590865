import ArgumentParser
import AttachmentService
import Foundation
import Logging
import ServiceOptions

/// `thimble-server serve`: the service itself.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until SIGTERM; the default command.")

    @OptionGroup var flags: ServiceFlags

    func run() async throws {
        let configuration = try await Self.prepare(flags)
        do {
            let service = try ThimbleService(
                configuration, logger: Logger(label: "thimble-server"))
            try await service.run()
        } catch {
            LogSink.standardError.flush()
            Self.complain("\(error)")
            throw ExitCode.unusable
        }
        LogSink.standardError.flush()
    }

    /// Reads the configuration and prepares the log.
    static func prepare(
        _ flags: ServiceFlags, needsContainer: Bool = true
    ) async throws -> ServiceConfiguration {
        // A client or a worker may be gone before it is written to.
        signal(SIGPIPE, SIG_IGN)
        let loaded = await LoadedConfiguration.load(flags, needsContainer: needsContainer)
        guard loaded.errors.isEmpty else {
            loaded.errors.forEach { Self.complain("\($0)") }
            throw ExitCode.invalidConfiguration
        }
        let level = Logger.Level(rawValue: loaded.configuration.logLevel.rawValue) ?? .info
        LoggingSystem.bootstrap { _ in JSONLogHandler(level: level) }
        return loaded.configuration
    }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    }
}
