import Foundation
import Testing

@Suite("Hostile clients", .serialized, .timeLimit(.minutes(2)))
struct HostileClientTests {
    @Test("A head that arrives slowly ends with its timeout")
    func slowHead() throws {
        try TestServer.with("--header-timeout", "1") { server throws in
            let connection = try server.connect(timeout: 10)
            let start = ContinuousClock.now
            for byte in "GET /openapi.json HTTP/1.1\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaa" {
                Thread.sleep(forTimeInterval: 0.05)
                if (try? connection.send(String(byte))) == nil { break }
            }
            #expect(connection.isClosedByServer())
            #expect(ContinuousClock.now - start < .seconds(6))
            #expect(try server.eventually { try server.metric("thimble_connections") == 0 })
        }
    }

    @Test("A body without progress is answered with 408, and one that drips ends too")
    func slowBody() throws {
        try TestServer.with("--body-timeout", "1") { server throws in
            let head =
                "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"
                + "Content-Length: 1000\r\n\r\n"
            let stalled = try server.connect()
            try stalled.send(head + "abc")
            #expect(try stalled.response().problem == "body-timeout")
            #expect(stalled.isClosedByServer())
            let dripping = try server.connect()
            try dripping.send(head)
            let start = ContinuousClock.now
            for _ in 0..<100 {
                Thread.sleep(forTimeInterval: 0.05)
                if (try? dripping.send("x")) == nil { break }
            }
            #expect(ContinuousClock.now - start < .seconds(5.5))
            #expect(try server.eventually { try server.metric("thimble_uploads") == 0 })
        }
    }

    @Test("A client that does not read its answer loses the connection")
    func slowReader() throws {
        try TestServer.with("--body-timeout", "1") { server throws in
            let made = try server.request(
                "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
                body: try TestServer.picture("lake-baseline.jpg"))
            let paths = try #require(made.json["paths"] as? [String: String])
            let path = try #require(paths["expanded"])
            let connection = try server.connect()
            // More than the socket's buffers hold.
            for _ in 0..<200 { try connection.send("GET", path) }
            #expect(try server.eventually { try server.metric("thimble_connections") == 0 })
        }
    }

    @Test("Idle connections end")
    func idle() throws {
        try TestServer.with("--idle-timeout", "1") { server throws in
            let connection = try server.connect(timeout: 10)
            try connection.send("GET", "/openapi.json")
            #expect(try connection.response().status == 200)
            #expect(connection.isClosedByServer())
        }
    }

    @Test("Malformed and oversized heads are answered, and the connection ends")
    func malformed() throws {
        try TestServer.with("--max-header-bytes", "8KiB") { server throws in
            let long = String(repeating: "a", count: 100_000)
            let cases: [(String, Set<Int>)] = [
                ("HELLO\r\n\r\n", [400]),
                ("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", [400]),
                ("GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
                ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", [400]),
                ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", [400]),
                ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", [400]),
                (
                    "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                    [400, 404]
                ),
                ("GET / HTTP/1.1\r\nX: \(long)\r\n\r\n", [431]),
                ("GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", [431, 414]),
                (
                    "GET / HTTP/1.1\r\n"
                        + (0..<500).map { "x\($0): y\r\n" }.joined() + "\r\n", [431]
                ),
                ("\u{16}\u{3}\u{1}\u{2}\0\u{1}", [400]),
            ]
            for (text, statuses) in cases {
                let connection = try server.connect(timeout: 15)
                try? connection.send(text)
                let answer = try connection.response()
                #expect(statuses.contains(answer.status), "\(text.prefix(60)): \(answer.status)")
                #expect(connection.isClosedByServer() || answer.status == 404)
            }
            // A target that never ends costs no memory.
            let endless = try server.connect()
            var sent = 0
            let block = Array(repeating: UInt8(ascii: "a"), count: 1 << 16)
            if (try? endless.send("GET /")) != nil {
                while sent < 1000, (try? endless.send(block)) != nil { sent += 1 }
            }
            #expect(sent < 1000)
            #expect(try server.request("GET", "/openapi.json").status == 200)
            let other = try RawConnection(port: server.operationsPort)
            try other.send("NONSENSE\r\n\r\n")
            #expect(other.isClosedByServer())
            #expect(try server.operations("/health/live").status == 200)
        }
    }

    @Test("A malformed chunk ends the request")
    func malformedChunk() throws {
        try TestServer.with { server throws in
            let connection = try server.connect()
            try connection.send(
                "POST /v1/stage HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")
            #expect(try connection.response().status == 400)
            #expect(connection.isClosedByServer())
        }
    }

    @Test("Requests in one packet are answered in order, and HTTP/1.0 ends the connection")
    func pipelining() throws {
        try TestServer.with { server throws in
            let connection = try server.connect()
            let get = "GET /v1/attachments/x HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try connection.send(
                get + "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" + get)
            #expect(
                try (1...3).map { _ in try connection.response().status } == [404, 200, 404])
            // The last one has a body that came in the same packet.
            let last = try server.connect()
            let payload = TestServer.payload()
            try last.send(
                get + "POST /v1/stage HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(payload.utf8.count)\r\n\r\n"
                    + payload)
            let start = ContinuousClock.now
            #expect(try (1...2).map { _ in try last.response().status } == [404, 200])
            #expect(ContinuousClock.now - start < .seconds(10))
            let old = try server.connect()
            try old.send("GET /openapi.json HTTP/1.0\r\n\r\n")
            #expect(try old.response().status == 200)
            #expect(old.isClosedByServer())
        }
    }
}
