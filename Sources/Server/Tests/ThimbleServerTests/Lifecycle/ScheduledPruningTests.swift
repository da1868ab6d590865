import Foundation
import Testing

@Suite("Scheduled pruning", .serialized, .timeLimit(.minutes(2)))
struct ScheduledPruningTests {
    private static let day = 86_400.0

    /// Sets the time of the last use of all files in a folder.
    private func age(_ folder: URL, seconds: Double) throws {
        let entries = FileManager.default.enumerator(atPath: folder.path)
        for case let name as String in entries ?? .init() {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
                ofItemAtPath: folder.appending(path: name).path)
        }
    }

    /// Names of the regular files in a folder.
    private func files(_ folder: URL) -> [String] {
        let entries = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        // A service may remove files meanwhile.
        return (entries?.compactMap { $0 as? URL } ?? [])
            .filter {
                (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
            }
            .map(\.lastPathComponent).sorted()
    }

    /// Lines of the log about finished prunings.
    private func prunings(_ server: TestServer) -> [[String: Any]] {
        server.log.compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }.filter { $0["message"] as? String == "pruned" }
    }

    private func times(_ prunings: [[String: Any]]) throws -> [Date] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try prunings.map { try style.parse(try #require($0["time"] as? String)) }.sorted()
    }

    private func upload(_ server: TestServer, _ name: String) throws {
        let answer = try server.request(
            "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
            body: try TestServer.picture(name))
        #expect(answer.status == 201)
    }

    @Test("What is beyond the limits goes, what is within stays, and metrics and log tell")
    func limits() throws {
        try TestServer.with("--prune-interval", "0") { first throws in
            try upload(first, "still-life-ready.jpg")
            try upload(first, "dunes-grey.jpg")
            try age(first.container, seconds: 3 * Self.day)
            try upload(first, "lake-baseline.jpg")
            let cached = first.container.appending(
                path: "fetched/\(String(repeating: "a", count: 64)).body")
            try Data(count: 1000).write(to: cached)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -8 * Self.day)],
                ofItemAtPath: cached.path)
            #expect(files(first.container.appending(path: "notifications")).count == 3)
            try TestServer.with(
                "--container", first.container.path, "--prune-interval", "1", "--max-days", "2"
            ) { second throws in
                #expect(
                    try second.eventually {
                        try second.metric(#"thimble_prunings_total{outcome="complete"}"#) ?? 0 >= 1
                    })
                #expect(files(first.container.appending(path: "notifications")).count == 1)
                #expect(files(first.container.appending(path: "fetched")).isEmpty)
                #expect(try second.metric(#"thimble_pruned_files_total{reason="age"}"#) == 2)
                #expect(
                    try second.metric(#"thimble_pruned_files_total{reason="stale-fetched"}"#) == 1)
                #expect(
                    try second.metric(#"thimble_pruned_bytes_total{reason="stale-fetched"}"#)
                        == 1000)
                let unreferenced = try second.metric(
                    #"thimble_pruned_bytes_total{reason="unreferenced"}"#)
                #expect(try #require(unreferenced) > 10_000)
                #expect(try second.metric("thimble_container_notifications") == 1)
                let last = try #require(try second.metric("thimble_last_pruning_seconds"))
                #expect(abs(last - Date().timeIntervalSince1970) < 60)
                let line = try #require(prunings(second).first)
                #expect(line["level"] as? String == "notice")
                #expect(line["age"] as? Int == 2 && line["stale-fetched"] as? Int == 1)
                #expect(line["notificationsLeft"] as? Int == 1 && line["failures"] as? Int == 0)
                #expect(line["bytes"] as? Int ?? 0 > 10_000 && line["milliseconds"] is Int)
                #expect(
                    try second.request("GET", "/v1/attachments/none").status == 404)
            }
        }
    }

    @Test("By default a service prunes, within its defaults nothing goes, and 0 turns it off")
    func standard() throws {
        try TestServer.with { server throws in
            #expect(server.eventually { prunings(server).count == 1 })
            #expect(prunings(server).first?["files"] as? Int == 0)
        }
        try TestServer.with("--prune-interval", "0") { server throws in
            Thread.sleep(forTimeInterval: 1)
            #expect(prunings(server).isEmpty)
            #expect(try server.metric("thimble_last_pruning_seconds") == nil)
        }
    }

    @Test("Two instances on one container prune one at a time, and together once an interval")
    func instances() throws {
        try TestServer.with("--prune-interval", "2") { first throws in
            try TestServer.with(
                "--container", first.container.path, "--prune-interval", "2"
            ) { second throws in
                func all() -> [[String: Any]] { prunings(first) + prunings(second) }
                #expect(first.eventually(30) { all().count >= 5 })
                let times = try times(all())
                for (one, next) in zip(times, times.dropFirst()) {
                    // The log tells milliseconds.
                    #expect(next.timeIntervalSince(one) > 1.9)
                }
            }
        }
    }

    @Test("An instance does not prune while another process has the turn, and then goes on")
    func turn() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "turn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "thimble.pruning").path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        #expect(file >= 0 && flock(file, LOCK_EX) == 0)
        #expect(futimens(file, [timespec(), timespec()]) == 0)
        try TestServer.with("--container", folder.path, "--prune-interval", "1") {
            server throws in
            Thread.sleep(forTimeInterval: 1.5)
            #expect(prunings(server).isEmpty)
            #expect(flock(file, LOCK_UN) == 0)
            #expect(server.eventually { !prunings(server).isEmpty })
        }
    }

    @Test("A busy instance waits for a quiet time, but not longer than another interval")
    func busy() throws {
        try TestServer.with("--prune-interval", "3", "--jobs", "1") { server throws in
            #expect(server.eventually { prunings(server).count == 1 })
            for worker in server.workers { kill(worker, SIGSTOP) }
            let connection = try server.connect()
            try connection.send(
                "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
                body: try TestServer.picture("lake-baseline.jpg"))
            #expect(try server.eventually { try server.metric("thimble_work_running") == 1 })
            #expect(server.eventually(20) { prunings(server).count == 2 })
            #expect(try server.metric("thimble_work_running") == 1)
            let times = try times(prunings(server))
            #expect(times[1].timeIntervalSince(times[0]) > 5.9)
        }
    }

    @Test("Objects go after their keep time, only if the service may remove them")
    func objects() throws {
        try TestServer.with("--prune-interval", "0") { first throws in
            let store = first.folder.appending(path: "published")
            let options = [
                "--container", first.container.path, "--publish", store.path, "--publish-url",
                "https://example.org", "--keep-published", "1",
            ]
            let publisher = try TestServer(options + ["--prune-interval", "0"])
            defer { publisher.end() }
            let answer = try publisher.request(
                "POST", "/v1/stage", ["Content-Type": "application/json"],
                body: Array(TestServer.payload().utf8))
            #expect(answer.text.contains("https://example.org/"))
            publisher.end()
            let leftover = try #require(files(store).first).prefix(2)
            let unfinished = store.appending(path: "\(leftover)/.thimble-\(UUID().uuidString)")
            try Data(count: 10).write(to: unfinished)
            for folder in [store, first.container.appending(path: "published")] {
                try age(folder, seconds: 2 * Self.day)
            }
            let careful = try TestServer(options + ["--prune-interval", "1"])
            defer { careful.end() }
            #expect(careful.eventually { prunings(careful).count >= 2 })
            #expect(files(store).count == 2)
            careful.end()
            let server = try TestServer(
                options + ["--prune-interval", "1", "--prune-published"])
            defer { server.end() }
            #expect(server.eventually { files(store).isEmpty })
            #expect(
                try server.eventually {
                    try server.metric(#"thimble_pruned_files_total{reason="stale-object"}"#) == 1
                        && server.metric(
                            #"thimble_pruned_files_total{reason="unfinished-object"}"#) == 1
                })
            #expect(
                try server.metric(#"thimble_pruned_bytes_total{reason="unfinished-object"}"#) == 10)
        }
    }

    @Test("A container that cannot be pruned is counted and logged, and the service goes on")
    func failure() throws {
        try TestServer.with("--prune-interval", "1") { server throws in
            #expect(server.eventually { !prunings(server).isEmpty })
            let lock = server.container.appending(path: "thimble.pruning")
            try FileManager.default.removeItem(at: lock)
            try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: lock.path)
            #expect(
                try server.eventually {
                    try server.metric(#"thimble_prunings_total{outcome="failed"}"#) ?? 0 >= 1
                })
            #expect(server.eventually { server.log.contains { $0.contains("pruning failed") } })
            try upload(server, "still-life-ready.jpg")
        }
    }

    @Test("A service with old files ends at once on SIGTERM")
    func ending() throws {
        try TestServer.with("--prune-interval", "1") { server throws in
            #expect(server.eventually { !prunings(server).isEmpty })
            kill(server.process.processIdentifier, SIGTERM)
            #expect(server.exitCode(within: 15) == 0)
        }
    }
}
