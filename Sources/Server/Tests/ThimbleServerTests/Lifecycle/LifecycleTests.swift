import AttachmentContainer
import Foundation
import Testing

@Suite("Start and end", .serialized, .timeLimit(.minutes(3)))
struct LifecycleTests {
    private static let json = ["Content-Type": "application/json"]
    private static let stream =
        "POST /v1/stage HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ text: String) -> String {
        String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n"
    }

    @Test("After SIGTERM, readiness fails, a running stream ends in full, and the code is 0")
    func terminationWithStream() throws {
        try TestServer.with { server throws in
            let connection = try server.connect()
            try connection.send(Self.stream + Self.chunk(TestServer.payload(number: 1) + "\n"))
            #expect(try connection.responseHead().status == 200)
            #expect(try connection.chunk() != nil)
            kill(server.process.processIdentifier, SIGTERM)
            #expect(
                try server.eventually(3) { try server.operations("/health/ready").status == 503 })
            #expect(try server.operations("/health/live").status == 200)
            #expect(server.eventually(5) { (try? server.connect()) == nil })
            try connection.send(
                Self.chunk(TestServer.payload(number: 2) + "\n") + "0\r\n\r\n")
            var answer = ""
            while let chunk = try connection.chunk() {
                answer += String(decoding: chunk, as: UTF8.self)
            }
            #expect(answer.contains(#""alert":"2""#) && answer.contains(#""outcome":"rendition""#))
            #expect(server.exitCode(within: 10) == 0)
            #expect(server.workers.isEmpty)
        }
    }

    @Test("A stream that does not end and work that hangs end within the grace time")
    func grace() throws {
        try TestServer.with("--grace", "3", "--jobs", "1") { server throws in
            let connection = try server.connect()
            try connection.send(Self.stream + Self.chunk(TestServer.payload(number: 1) + "\n"))
            #expect(try connection.responseHead().status == 200)
            #expect(try connection.chunk() != nil)
            let workers = server.workers
            for worker in workers { kill(worker, SIGSTOP) }
            let hanging = try server.connect()
            try hanging.send(
                "POST", "/v1/stage", Self.json,
                body: Array(TestServer.payload("ridges-interlaced.png").utf8))
            #expect(try server.eventually { try server.metric("thimble_work_running") == 1 })
            let start = ContinuousClock.now
            kill(server.process.processIdentifier, SIGTERM)
            #expect(try hanging.response().status == 503)
            while try connection.chunk() != nil {}
            #expect(server.exitCode(within: 10) == 0)
            #expect(ContinuousClock.now - start < .seconds(4))
            #expect(server.eventually(5) { workers.allSatisfy { kill($0, 0) != 0 } })
        }
    }

    @Test("A killed worker costs its attachment nothing but time")
    func killedWorker() throws {
        try TestServer.with("--jobs", "1") { server throws in
            for worker in server.workers { kill(worker, SIGSTOP) }
            let connection = try server.connect()
            try connection.send(
                "POST", "/v1/stage", Self.json,
                body: Array(TestServer.payload("ridges-progressive.jpg").utf8))
            #expect(try server.eventually { try server.metric("thimble_work_running") == 1 })
            for worker in server.workers { kill(worker, SIGKILL) }
            let answer = try connection.response()
            #expect(answer.status == 200)
            #expect(["rendition", "lower-rung"].contains(answer.fields["thimble-outcome"]))
            let next = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(TestServer.payload().utf8))
            #expect(next.fields["thimble-outcome"] == "rendition")
            #expect(try server.metric("thimble_workers_started_total") ?? 0 >= 2)
        }
    }

    @Test("A killed server leaves a container that verifies, and no worker")
    func killedServer() throws {
        try TestServer.with { server throws in
            var connections: [RawConnection] = []
            for number in 0..<20 {
                let connection = try server.connect()
                let name = ["still-life-ready.jpg", "lake-baseline.jpg", "meadow-lossy.webp"][
                    number % 3]
                try connection.send(
                    "POST", "/v1/stage", Self.json,
                    body: Array(TestServer.payload(name, number: number).utf8))
                connections.append(connection)
            }
            _ = try connections[0].response()
            let workers = server.workers
            kill(server.process.processIdentifier, SIGKILL)
            _ = server.exitCode()
            #expect(server.eventually(10) { workers.allSatisfy { kill($0, 0) != 0 } })
            let container = try SharedContainer.open(at: server.container)
            var count = 0
            for manifest in try container.manifests() {
                let manifest = try manifest.get()
                for rendition in manifest.renditions {
                    let file = server.container.appending(path: "renditions/\(rendition.file)")
                    #expect(ContentDigest(of: try Data(contentsOf: file)) == rendition.sha256)
                }
                count += 1
            }
            #expect(count >= 1)
            let uploads = server.container.appending(path: "incoming").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).count <= 4)
        }
    }

    @Test("500 requests leave no descriptor and no process behind")
    func leaks() throws {
        try TestServer.with("--jobs", "2") { server throws in
            let picture = try TestServer.picture("still-life-ready.jpg")
            func requests(_ range: Range<Int>) throws {
                for number in range {
                    switch number % 5 {
                    case 0:
                        _ = try server.request(
                            "POST", "/v1/stage", Self.json,
                            body: Array(TestServer.payload(number: number % 7).utf8))
                    case 1:
                        _ = try server.request(
                            "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
                            body: picture)
                    case 2:
                        _ = try server.request(
                            "POST", "/v1/inspect", ["Content-Type": "image/jpeg"], body: picture)
                    case 3:
                        _ = try server.request(
                            "POST", "/v1/attachments", ["Content-Type": "image/jpeg"], body: [1])
                    default: try server.connect().reset()
                    }
                }
            }
            try requests(0..<50)
            #expect(try server.eventually { try server.metric("thimble_connections") == 0 })
            let (descriptors, workers) = (server.descriptors, server.workers.count)
            try requests(0..<450)
            #expect(try server.eventually { try server.metric("thimble_connections") == 0 })
            #expect(server.eventually { server.descriptors <= descriptors + 4 })
            #expect(server.workers.count <= max(workers, 4))
        }
    }

    @Test("A port in use and an impossible container are typed errors")
    func unusable() throws {
        try TestServer.with { server throws in
            for (arguments, words) in [
                (["--port", "\(server.port)"], "--port"),
                (["--operations-port", "\(server.operationsPort)"], "--operations-port"),
                (["--container", "/proc/x"], "/proc/x"),
            ] {
                let result = try Program.run(
                    ["--container", server.container.path, "--port", "0", "--operations-port", "0"]
                        + arguments)
                #expect(result.code == 1)
                #expect(result.errors.contains("error: ") && result.errors.contains(words))
            }
        }
    }
}
