import Foundation
import Testing

/// Clients that send without reading, or send and read as slowly as they may.
@Suite("Floods", .serialized, .timeLimit(.minutes(3)))
struct FloodTests {
    /// Bytes that a server may take more during a flood; it starts with about 40 MB.
    private static let growth = 40_000_000

    /// Sends a request over and over on each connection without reading, until the kernel takes no more;
    /// returns the growth of the server's footprint in bytes.
    private func flood(
        _ server: TestServer, _ connections: Int, port: Int, with request: [UInt8],
        seconds: Double = 3
    ) throws -> Int {
        let before = server.footprint
        let block = Array(repeatElement(request, count: max(1, 65_536 / request.count)).joined())
        // Each thread uses a connection of its own.
        nonisolated(unsafe) let open = try (0..<connections).map { _ in
            try RawConnection(port: port, timeout: 1)
        }
        let end = Date() + seconds
        DispatchQueue.concurrentPerform(iterations: connections) { index in
            while Date() < end, (try? open[index].send(block)) != nil {}
        }
        return server.footprint - before
    }

    @Test("Uploads while all places are taken, without reading, cost no memory and close")
    func uploads() throws {
        try TestServer.with("--max-uploads", "1") { server throws in
            let held = try server.holdUpload()
            defer { withExtendedLifetime(held) {} }
            let request = Array(
                "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na"
                    .utf8)
            #expect(try flood(server, 4, port: server.port, with: request) < Self.growth)
            let refused = try server.connect()
            try refused.send("POST", "/v1/attachments", ["Content-Type": "image/png"], body: [65])
            let answer = try refused.response()
            #expect(answer.status == 429 && answer.fields["connection"] == "close")
            #expect(refused.isClosedByServer())
            #expect(try server.operations("/health/live").status == 200)
        }
    }

    @Test("Requests without a token, without reading, cost no memory")
    func strangers() throws {
        let tokens = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("0123456789abcdef0123456789abcdef".utf8).write(to: tokens)
        defer { try? FileManager.default.removeItem(at: tokens) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tokens.path)
        try TestServer.with("--tokens", tokens.path, "--max-uploads", "1") { server throws in
            let held = try server.holdUpload(
                "Authorization: Bearer 0123456789abcdef0123456789abcdef\r\n")
            defer { withExtendedLifetime(held) {} }
            for request in [
                "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na",
                "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
                "NONSENSE\r\n\r\n",
            ] {
                let growth = try flood(server, 2, port: server.port, with: Array(request.utf8))
                #expect(growth < Self.growth, "\(request)")
            }
            // Clients without a token learn nothing about the load.
            let answer = try server.request(
                "POST", "/v1/attachments", ["Content-Type": "image/png"], body: [65])
            #expect(answer.status == 401)
        }
    }

    @Test("Metrics that nobody reads cost no memory, and health answers meanwhile")
    func operations() throws {
        try TestServer.with { server throws in
            let request = Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            var slowest = Duration.zero
            let over = Date() + 3
            let growth = try withThread {
                while Date() < over {
                    let start = ContinuousClock.now
                    let answer = try server.operations("/health/live")
                    #expect(answer.status == 200)
                    slowest = max(slowest, ContinuousClock.now - start)
                    Thread.sleep(forTimeInterval: 0.02)
                }
            } during: {
                try flood(server, 4, port: server.operationsPort, with: request)
            }
            #expect(growth < Self.growth)
            #expect(slowest < .seconds(1))
        }
    }

    @Test("More requests in one packet than wait are answered up to the last that is kept")
    func pipeline() throws {
        try TestServer.with { server throws in
            let connection = try server.connect()
            try connection.send(
                String(
                    repeating: "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 40))
            var answers = 0
            while let answer = try? connection.response(), answer.status == 200 { answers += 1 }
            #expect(1...40 ~= answers)
            #expect(connection.isClosedByServer() || answers == 40)
            let patient = try server.connect()
            for _ in 0..<100 { try patient.send("GET", "/openapi.json") }
            for _ in 0..<17 { #expect(try patient.response().status == 200) }
        }
    }

    @Test("Renditions that nobody reads do not delay other clients")
    func unreadRenditions() throws {
        // Renditions of a megabyte: the kernel keeps some of them, not eight.
        try TestServer.with(
            "--width", "2000", "--scale", "2", "--quality", "100", "--render-budget", "200MB"
        ) { server throws in
            let made = try server.request(
                "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
                body: try TestServer.picture("lake-baseline.jpg"))
            let paths = try #require(made.json["paths"] as? [String: String])
            let path = try #require(paths["expanded"])
            let stalled = try (0..<700).map { _ in
                let connection = try RawConnection(port: server.port, receiveBuffer: 2048)
                for _ in 0..<8 { try connection.send("GET", path) }
                return connection
            }
            var times: [Duration] = []
            for number in 0..<60 {
                let start = ContinuousClock.now
                let target = number.isMultiple(of: 2) ? path : "/openapi.json"
                #expect(try server.request("GET", target).status == 200)
                times.append(ContinuousClock.now - start)
            }
            #expect(times.sorted()[58] < .seconds(1))
            #expect(server.footprint < 80_000_000)
            withExtendedLifetime(stalled) {}
        }
    }

    @Test("A body in small steps ends with the deadline, and what surrounds a form's parts counts")
    func slowBodies() throws {
        try TestServer.with("--max-upload-bytes", "1MB") { server throws in
            let slow = try server.connect()
            try slow.send(
                "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"
                    + "Thimble-Deadline: 2\r\nContent-Length: 900000\r\n\r\n")
            let start = ContinuousClock.now
            let step = [UInt8](repeating: 0, count: 1000)
            while ContinuousClock.now - start < .seconds(8), (try? slow.send(step)) != nil {
                Thread.sleep(forTimeInterval: 0.1)
                if try server.metric("thimble_uploads") == 0 { break }
            }
            #expect(ContinuousClock.now - start < .seconds(5))
            #expect(try slow.response().problem == "body-timeout")
            for form in [
                String(repeating: "preamble\r\n", count: 200_000) + "--b\r\n",
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\na\r\n--b--\r\n"
                    + String(repeating: "epilogue\r\n", count: 200_000),
            ] {
                let connection = try server.connect()
                try? connection.send(
                    "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: multipart/form-data; boundary=b\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n")
                for start in stride(from: 0, to: form.utf8.count, by: 50_000) {
                    let part = Array(form.utf8.dropFirst(start).prefix(50_000))
                    try? connection.send(
                        Array("\(String(part.count, radix: 16))\r\n".utf8) + part
                            + Array("\r\n".utf8))
                }
                #expect(try connection.response().problem == "too-large")
            }
        }
    }

    /// Runs some work on a thread of its own during other work.
    private func withThread<Value>(
        _ work: @escaping () throws -> Void, during body: () throws -> Value
    ) throws -> Value {
        nonisolated(unsafe) let work = work
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? work()
            done.signal()
        }
        defer { done.wait() }
        return try body()
    }
}
