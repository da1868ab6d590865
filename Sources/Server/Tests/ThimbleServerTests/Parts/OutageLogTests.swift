@testable import JobBroker
import Logging
import Synchronization
import Testing

@Suite("The log of outages", .timeLimit(.minutes(1)))
struct OutageLogTests {
    /// Keeps the messages of a logger.
    private final class Lines: Sendable {
        let messages = Mutex<[String]>([])

        var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.messages.withLock { $0.append("\(event.message)") }
        }
    }

    private final class Link {}

    private let error = BrokerError(.unreachable, "a test")

    @Test("Connections that are lost again soon after the first belong to one outage")
    func severalLosses() async throws {
        let (lines, links) = (Lines(), [Link(), Link()])
        let log = OutageLog(settling: .milliseconds(300))
        let identifiers = links.map { ObjectIdentifier($0) }
        for _ in 0..<3 {
            for link in identifiers { log.lost(link, error, lines.logger) }
            for link in identifiers { log.connected(link, to: "node", lines.logger) }
        }
        #expect(lines.messages.withLock(\.self) == ["broker lost"])
        let hasEnded = { lines.messages.withLock(\.count) > 1 }
        for _ in 0..<1000 where !hasEnded() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(lines.messages.withLock(\.self) == ["broker lost", "broker connected again"])
        log.lost(identifiers[1], error, lines.logger)
        #expect(lines.messages.withLock(\.last) == "broker lost")
        withExtendedLifetime(links) {}
    }
}
