import Foundation
import Testing

/// A RabbitMQ node of its own, started before a suite and stopped after it.
struct BrokerTrait: SuiteTrait, TestScoping {
    @concurrent
    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The suite itself, not each of its tests.
        guard test.isSuite else { return try await function() }
        let broker = try TestBroker()
        defer { broker.end() }
        try await TestBroker.$current.withValue(broker) { try await function() }
    }
}

extension Trait where Self == BrokerTrait {
    static var broker: Self { Self() }
}

/// RabbitMQ as a plain process, as `Examples/Fleet/broker.sh` starts it.
final class TestBroker: Sendable {
    @TaskLocal static var current: TestBroker?

    let folder: URL
    let url: String

    private static let script = TestServer.package.appending(path: "Examples/Fleet/broker.sh").path

    fileprivate init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-broker-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = try Self.run("up", "1", folder.path)
    }

    func killNode() throws { _ = try Self.run("kill", "1", folder.path) }

    func startNode() throws { _ = try Self.run("start", "1", folder.path) }

    fileprivate func end() {
        _ = try? Self.run("down", folder.path)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs the script; nodes that it starts must not keep a pipe open.
    private static func run(_ arguments: String...) throws -> String {
        let output = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: script)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: output, encoding: .utf8)
        guard process.terminationStatus == 0 else {
            throw RawConnection.Failure(description: "\(script) \(arguments): \(text)")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
