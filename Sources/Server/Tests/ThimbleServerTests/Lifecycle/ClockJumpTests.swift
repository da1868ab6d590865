import Foundation
import Testing

@Suite("Jumps of the clock", .serialized, .timeLimit(.minutes(3)))
struct ClockJumpTests {
    private static let json = ["Content-Type": "application/json"]

    private func prunings(_ server: TestServer) throws -> Double {
        try server.metric(#"thimble_prunings_total{outcome="complete"}"#) ?? 0
    }

    /// Waits for prunings that began after this call.
    private func awaitPrunings(_ server: TestServer) throws -> Bool {
        let before = try prunings(server)
        return try server.eventually(20) { try prunings(server) >= before + 3 }
    }

    /// Stages a picture; returns the name of its file in the store.
    private func stage(_ server: TestServer, _ name: String) throws -> String {
        let answer = try server.request(
            "POST", "/v1/stage", Self.json, body: Array(TestServer.payload(name).utf8))
        #expect(answer.fields["thimble-outcome"] == "rendition", "\(answer.text)")
        let url = try #require(answer.json["attachment-url"] as? String)
        return String(url.dropFirst("https://example.org/".count))
    }

    @Test("Six hours forward, back and forward again remove nothing that was just given out")
    func jumps() throws {
        let clock = try FakeClock()
        defer { clock.end() }
        let store = FileManager.default.temporaryDirectory
            .appending(path: "published-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: store) }
        // The keep time is 2.4 hours, and the grace period one.
        let server = try TestServer(
            [
                "--publish", store.path, "--publish-url", "https://example.org",
                "--keep-published", "0.1", "--max-count", "1", "--prune-interval", "1",
                "--prune-published",
            ], environment: clock.environment)
        defer { server.end() }
        var files: [String] = []
        func expectAll(_ hours: Int) throws {
            for file in files {
                let path = store.appending(path: file).path
                #expect(FileManager.default.fileExists(atPath: path), "\(file), \(hours)")
                let answer = try server.request("GET", "/v1/renditions/\(file)")
                #expect(answer.status == 200, "\(file), \(hours)")
            }
        }
        let names = [
            "still-life-ready.jpg", "dunes-grey.jpg", "lake-baseline.jpg", "ridges-progressive.jpg",
            "ridges-interlaced.png",
        ]
        for (name, hours) in zip(names, [6, -6, 6, -6, 0]) {
            files.append(try stage(server, name))
            // Without a pause.
            try clock.set(hours: hours)
            #expect(try awaitPrunings(server), "\(hours)")
            try expectAll(hours)
            #expect(try server.operations("/health/ready").status == 200, "\(hours)")
        }
        #expect(try server.metric(#"thimble_pruned_files_total{reason="stale-object"}"#) ?? 0 == 0)
    }

    @Test("Deadlines, a running stream and the end of the service do not depend on the clock")
    func deadlines() throws {
        let clock = try FakeClock()
        defer { clock.end() }
        let server = try TestServer(["--jobs", "1"], environment: clock.environment)
        defer { server.end() }
        let connection = try server.connect(timeout: 30)
        func chunk(_ number: Int) -> String {
            let line = TestServer.payload(number: number) + "\n"
            return String(line.utf8.count, radix: 16) + "\r\n\(line)\r\n"
        }
        try connection.send(
            "POST /v1/stage HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n" + chunk(0))
        #expect(try connection.responseHead().status == 200)
        for (number, hours) in [6, -6, 0].enumerated() {
            try clock.set(hours: hours)
            try connection.send(chunk(number + 1))
            #expect(try connection.chunk() != nil, "\(hours)")
            let answer = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(TestServer.payload().utf8))
            #expect(answer.status == 200, "\(hours): \(answer.text)")
        }
        try connection.send("0\r\n\r\n")
        while try connection.chunk() != nil {}
        // Work that hangs is late by the deadline, before and after a jump of which it knows nothing.
        for worker in server.workers { kill(worker, SIGSTOP) }
        let late = try server.connect(timeout: 20)
        try late.send(
            "POST", "/v1/attachments", ["Content-Type": "image/jpeg", "Thimble-Deadline": "3"],
            body: try TestServer.picture("lake-baseline.jpg"))
        #expect(try server.eventually { try server.metric("thimble_work_running") == 1 })
        let begun = ContinuousClock.now
        try clock.set(hours: -6)
        #expect(try late.response().status >= 400)
        #expect(begun.duration(to: .now) < .seconds(10))
        kill(server.process.processIdentifier, SIGTERM)
        #expect(server.exitCode(within: 35) == 0)
    }
}
