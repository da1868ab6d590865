import AttachmentContainer
import AttachmentFleet
import Foundation
import JobBroker
import Logging
import Testing

/// Queues of their own on the suite's broker, a folder as the store, and workers.
final class TestFleet {
    let folder: URL
    private(set) var workers: [Process] = []
    private let options: [String]

    var store: URL { folder.appending(path: "store") }

    /// Options of every program of the fleet.
    var common: [String] {
        [
            "--publish", store.path, "--publish-url", "https://media.example/r",
            "--queue-prefix", folder.lastPathComponent, "--sandbox", "auto",
        ] + options
    }

    let environment: [String: String]

    /// `options` go to every program, besides store and queues.
    static func with<Value>(
        _ options: [String] = [], body: (TestFleet) throws -> Value
    ) throws -> Value {
        let fleet = try TestFleet(options)
        defer { fleet.end() }
        return try body(fleet)
    }

    /// Runs a body that publishes messages.
    static func with<Value>(
        _ options: [String] = [], body: (TestFleet) async throws -> Value
    ) async throws -> Value {
        let fleet = try TestFleet(options)
        defer { fleet.end() }
        return try await body(fleet)
    }

    private init(_ options: [String]) throws {
        self.options = options
        environment = [
            "THIMBLE_SERVER_BROKER": try #require(TestBroker.current).url
        ]
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-fleet-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    }

    private func end() {
        for worker in workers where worker.isRunning { kill(worker.processIdentifier, SIGKILL) }
        workers.forEach { $0.waitUntilExit() }
        try? FileManager.default.removeItem(at: folder)
    }

    func log(of worker: Int) -> [String] {
        let file = folder.appending(path: "worker-\(worker).log")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "")
            .split(separator: "\n").map(String.init)
    }

    func logged(_ message: String, by worker: Int) -> Int {
        log(of: worker).count { $0.contains("\"\(message)\"") }
    }

    /// Nodes and queues, for messages of the test.
    func broker() throws -> BrokerSettings {
        let url = try #require(environment["THIMBLE_SERVER_BROKER"])
        var settings = BrokerSettings(nodes: [try #require(BrokerSettings.Node(url))])
        settings.prefix = folder.lastPathComponent
        return settings
    }

    /// Publishes messages to the queue of transactional jobs.
    func publish(_ messages: [BrokerMessage]) async throws {
        let publisher = JobPublisher(try broker(), Logger(label: "test"))
        for message in messages {
            try await publisher.publish(message, to: .transactional, by: .now + .seconds(20))
        }
        await publisher.close()
    }

    /// Messages in a queue that no worker has taken.
    func depth(of queue: JobQueue) throws -> Int {
        let queues = try QueueInspection.open(try broker())
        let depths = try queues.depths()
        queues.close()
        return try #require(depths.first { $0.queue == queue }).ready
    }

    /// Waits until a condition holds.
    func eventually(_ seconds: Double = 20, _ holds: () throws -> Bool) rethrows -> Bool {
        let end = Date() + seconds
        while Date() < end {
            if try holds() { return true }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return false
    }

    /// Puts a sample picture into the store; returns its source.
    func storePicture(_ name: String = "still-life-ready.jpg") throws -> FleetJob.Source {
        let bytes = try TestServer.picture(name)
        let key = FleetJob.key(ofSource: ContentDigest(of: bytes))
        try storeObject(Data(bytes), as: key)
        return .object(key)
    }

    func storeObject(_ bytes: Data, as key: String) throws {
        let file = store.appending(path: key)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    @discardableResult
    func startWorker(jobs: Int = 1) throws -> Process {
        let number = workers.count
        let log = folder.appending(path: "worker-\(number).log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = TestServer.products.appending(path: "thimble-server")
        process.arguments =
            [
                "work", "--container", folder.appending(path: "worker-\(number)").path,
                "--operations-port", "0", "--jobs", "\(jobs)",
            ] + common
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        workers.append(process)
        return process
    }

    func run(
        _ command: String..., options: [String] = [], input: URL? = nil
    ) throws -> Program {
        try Program.run(command + common + options, environment: environment, input: input)
    }

    /// Results in the store, by identifier.
    var results: [String: [String: Any]] {
        let root = store.appending(path: "results")
        let names = FileManager.default.enumerator(atPath: root.path)
        var results: [String: [String: Any]] = [:]
        while let name = names?.nextObject() as? String {
            guard name.hasSuffix(".json"),
                let bytes = try? Data(contentsOf: root.appending(path: name)),
                let result = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
                let identifier = result["identifier"] as? String
            else { continue }
            results[identifier] = result
        }
        return results
    }

    /// Waits for results; true once there are as many.
    func awaitResults(_ count: Int, seconds: Double = 30) -> Bool {
        let end = Date() + seconds
        while Date() < end {
            if results.count >= count { return true }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return false
    }

    func code(of identifier: String) -> String? {
        (results[identifier]?["failure"] as? [String: Any])?["code"] as? String
    }
}
