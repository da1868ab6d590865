import AttachmentContainer
import AttachmentFleet
import Foundation
import Testing

/// Needs Debian's `rabbitmq-server`.
@Suite("A fleet with a broker", .serialized, .broker, .timeLimit(.minutes(10)))
struct FleetTests {
    static let json = ["Content-Type": "application/json"]

    static func pictures(_ fleet: TestFleet, _ names: String...) throws -> String {
        let folder = fleet.folder.appending(path: "pictures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names {
            try Data(try TestServer.picture(name)).write(to: folder.appending(path: name))
        }
        return folder.path
    }

    @Test("Attachments are submitted once, worked on, and answered again from the store")
    func submission() throws {
        try TestFleet.with { fleet in
            try fleet.startWorker()
            let folder = try Self.pictures(
                fleet, "still-life-ready.jpg", "ridges-interlaced.png", "ridges-truncated.jpg")
            let record = fleet.folder.appending(path: "record").path
            let first = try fleet.run("submit", folder, options: ["--record", record])
            #expect(first.code == 0, "\(first.errors)")
            #expect(fleet.awaitResults(3))
            for (identifier, result) in fleet.results {
                guard let manifest = result["manifest"] as? [String: Any] else {
                    #expect(identifier == "ridges-truncated.jpg")
                    #expect(fleet.code(of: identifier) == "truncated")
                    continue
                }
                let urls = try #require(result["urls"] as? [String: String])
                for rendition in try #require(manifest["renditions"] as? [[String: Any]]) {
                    let file = try #require(rendition["file"] as? String)
                    let bytes = try Data(contentsOf: fleet.store.appending(path: file))
                    let digest = ContentDigest(of: [UInt8](bytes)).rawValue
                    #expect(digest == rendition["sha256"] as? String)
                    #expect(urls.values.contains("https://media.example/r/\(file)"))
                }
            }
            let second = try fleet.run("submit", folder, options: ["--record", record])
            #expect(second.errors.contains("0 submitted, 3 known, 0 failed"))
            // Without the record, the store answers.
            let third = try fleet.run("submit", folder)
            #expect(third.errors.contains("3 submitted"))
            let state = try Self.eventualState(of: fleet) { $0["known"] == 3 }
            #expect(state["renditions"] == 2 && state["truncated"] == 1)
            // The worker's container has limits, like a service's, and is pruned in a quiet moment.
            #expect(fleet.eventually { fleet.logged("pruned", by: 0) == 1 })
        }
    }

    /// Outcomes of the workers by `status`, once a condition holds.
    private static func eventualState(
        of fleet: TestFleet, _ holds: ([String: Int]) -> Bool
    ) throws -> [String: Int] {
        var outcomes: [String: Int] = [:]
        for _ in 0..<20 {
            let run = try fleet.run("status", options: ["--json", "--interval", "0.5"])
            #expect(run.code == 0, "\(run.errors)")
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            let workers = (report as? [String: Any])?["workers"] as? [[String: Any]] ?? []
            outcomes = workers.compactMap { $0["outcomes"] as? [String: Int] }
                .reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
            if holds(outcomes) { break }
        }
        return outcomes
    }

    @Test("Pictures of payloads are submitted once, and processed once under two URLs")
    func payloads() throws {
        try TestOrigin.with { origin throws in
            try TestFleet.with(origin.options) { fleet in
                try fleet.startWorker()
                let (one, two) = (
                    origin.url("still-life-ready.jpg"), origin.url("still-life-ready.jpg?again")
                )
                let lines = (0..<200).map { number in
                    #"{"aps":{"alert":"\#(number)"},"att":{"a":"\#(number % 2 == 0 ? one : two)"}}"#
                }
                let file = fleet.folder.appending(path: "payloads.ndjson")
                try Data((lines.joined(separator: "\n") + "\nno payload\n").utf8).write(to: file)
                let run = try fleet.run("submit", options: ["--payloads", file.path])
                #expect(run.code == 0 && run.errors.contains("2 submitted"), "\(run.errors)")
                // Two by URL, one by the digest that both have.
                #expect(fleet.awaitResults(3))
                #expect(fleet.results[one]?["manifest"] != nil)
                #expect(fleet.results[two]?["manifest"] != nil)
                #expect(fleet.results.keys.contains { $0.hasPrefix("sha256-") })
            }
        }
    }

    @Test("A job that kills each of its workers is answered, and kept for operators")
    func poison() throws {
        let listener = try Listener()
        defer { listener.close() }
        let options = [
            "--allow-network", "127.0.0.0/8", "--allow-http", "--allow-port",
            "\(listener.port)",
        ]
        try TestFleet.with(options) { fleet in
            let list = fleet.folder.appending(path: "list")
            let url = "http://127.0.0.1:\(listener.port)/poison"
            try Data("\(url)\n".utf8).write(to: list)
            #expect(try fleet.run("submit", options: ["--list", list.path]).code == 0)
            // The first consumer and three more, then the last attempt, alone.
            for attempt in 0..<5 {
                let worker = try fleet.startWorker()
                #expect(listener.accept(within: 20), "attempt \(attempt)")
                kill(worker.processIdentifier, SIGKILL)
                worker.waitUntilExit()
            }
            try fleet.startWorker()
            #expect(fleet.awaitResults(1))
            #expect(fleet.code(of: url) == "consumer-lost")
            let listed = try fleet.run("dead", "list")
            #expect(listed.output.contains("a URL"), "\(listed.output)\(listed.errors)")
            let number = String(listed.output.prefix(16))
            let shown = try fleet.run("dead", "show", number)
            #expect(shown.output.contains(url))
            #expect(try fleet.run("dead", "show", "ffff0000").code == 3)
            #expect(try fleet.run("dead", "drop", number).output.hasPrefix("dropped"))
            #expect(try fleet.run("dead", "list").output.isEmpty)
        }
    }

    @Test("A full queue makes submission wait, and the service answer 429")
    func fullQueue() throws {
        try TestFleet.with(["--max-jobs", "2"]) { fleet in
            let folder = fleet.folder.appending(path: "many")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for number in 0..<20 {
                try Data("text \(number)".utf8).write(to: folder.appending(path: "\(number)"))
            }
            let submission = Process()
            submission.executableURL = TestServer.products.appending(path: "thimble-server")
            submission.arguments =
                ["submit", folder.path, "--queue", "transactional"] + fleet.common
            submission.environment = ProcessInfo.processInfo.environment
                .merging(fleet.environment) { $1 }
            submission.standardError = FileHandle.nullDevice
            try submission.run()
            defer {
                kill(submission.processIdentifier, SIGKILL)
                submission.waitUntilExit()
            }
            let server = try TestServer(
                fleet.common + ["--fleet", "--deadline", "2"],
                environment: fleet.environment)
            defer { server.end() }
            let isRefused = try server.eventually(30) {
                let answer = try server.request(
                    "POST", "/v1/stage", Self.json, body: Array(TestServer.payload().utf8))
                return answer.status == 429 && answer.fields["retry-after"] != nil
            }
            #expect(isRefused)
            #expect(try server.operations("/health/live").status == 200)
            #expect(submission.isRunning)
            // Workers empty the queue, and everything goes on.
            try fleet.startWorker()
            #expect(fleet.awaitResults(20, seconds: 60))
            submission.waitUntilExit()
            #expect(submission.terminationStatus == 0)
        }
    }

    @Test("A job past its deadline is answered so, and done when somebody needs it again")
    func late() throws {
        try TestFleet.with { fleet in
            let folder = try Self.pictures(fleet, "still-life-ready.jpg")
            #expect(try fleet.run("submit", folder, options: ["--lifetime", "0.5"]).code == 0)
            Thread.sleep(forTimeInterval: 2)
            try fleet.startWorker()
            #expect(fleet.awaitResults(1))
            #expect(fleet.code(of: "still-life-ready.jpg") == "late")
            Thread.sleep(forTimeInterval: 2)
            #expect(try fleet.run("submit", folder).code == 0)
            #expect(
                fleet.eventually { fleet.results["still-life-ready.jpg"]?["manifest"] != nil })
        }
    }

    @Test("A deadline that passes while the store is away is passed")
    func lateByTheStore() throws {
        try TestFleet.with { fleet in
            let worker = try fleet.startWorker()
            let folder = try Self.pictures(fleet, "ridges-interlaced.png")
            #expect(try fleet.run("submit", folder).code == 0)
            #expect(fleet.awaitResults(1))
            kill(worker.processIdentifier, SIGSTOP)
            _ = try Self.pictures(fleet, "still-life-ready.jpg")
            #expect(try fleet.run("submit", folder, options: ["--lifetime", "3"]).code == 0)
            let away = fleet.folder.appending(path: "away")
            try FileManager.default.moveItem(at: fleet.store, to: away)
            try Data().write(to: fleet.store)
            kill(worker.processIdentifier, SIGCONT)
            Thread.sleep(forTimeInterval: 4)
            try FileManager.default.removeItem(at: fleet.store)
            try FileManager.default.moveItem(at: away, to: fleet.store)
            #expect(fleet.awaitResults(2))
            #expect(fleet.code(of: "still-life-ready.jpg") == "late")
            #expect(fleet.logged("store lost", by: 0) == 1)
        }
    }

    @Test("While the broker is gone, a worker waits; two lines of its log say so")
    func brokerLost() throws {
        let broker = try #require(TestBroker.current)
        try TestFleet.with { fleet in
            let worker = try fleet.startWorker()
            let folder = try Self.pictures(fleet, "still-life-ready.jpg")
            #expect(try fleet.run("submit", folder).code == 0)
            #expect(fleet.awaitResults(1))
            // A node that is killed while it creates a queue may not be able to serve it any more.
            Thread.sleep(forTimeInterval: 3)
            try broker.killNode()
            Thread.sleep(forTimeInterval: 5)
            try broker.startNode()
            let more = try Self.pictures(fleet, "ridges-interlaced.png")
            #expect(try fleet.run("submit", more).code == 0)
            #expect(fleet.awaitResults(2, seconds: 60))
            let isBack = fleet.eventually { fleet.logged("broker connected again", by: 0) == 1 }
            #expect(isBack, "\(fleet.log(of: 0))")
            #expect(fleet.logged("broker lost", by: 0) == 1, "\(fleet.log(of: 0))")
            kill(worker.processIdentifier, SIGTERM)
            worker.waitUntilExit()
            #expect(worker.terminationStatus == 0)
            #expect(fleet.logged("ended", by: 0) == 1)
        }
    }

    @Test("Wrong folders, lists and URLs are named, with exit code 1")
    func wrongArguments() throws {
        try TestFleet.with { fleet in
            let folder = try fleet.run("submit", "/nonexistent")
            #expect(folder.code == 1 && folder.errors.contains("not a folder"))
            let list = try fleet.run("submit", options: ["--list", "/nonexistent"])
            #expect(list.code == 1 && list.errors.contains("cannot be opened"))
            let both = try fleet.run("submit", "/tmp", options: ["--list", "x"])
            #expect(both.code == 64)
            let broker = try Program.run(
                ["status"] + fleet.common,
                environment: ["THIMBLE_SERVER_BROKER": "amqp://127.0.0.1:1"])
            #expect(broker.code == 1 && broker.errors.contains("check that a node runs"))
        }
    }
}
