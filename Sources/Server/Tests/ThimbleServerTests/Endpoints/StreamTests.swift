import Foundation
import Testing

@Suite("Streams of payloads", .serialized, .timeLimit(.minutes(2)))
struct StreamTests {
    private static let head =
        "POST /v1/stage HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ text: String) -> String {
        String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n"
    }

    /// The next line of a stream's answer.
    private static func line(_ connection: RawConnection, _ rest: inout String) throws -> String {
        while true {
            if let end = rest.firstIndex(of: "\n") {
                defer { rest = String(rest[rest.index(after: end)...]) }
                return String(rest[..<end])
            }
            let bytes = try #require(try connection.chunk())
            rest += String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("Each answer arrives before the next payload is sent")
    func conversation() throws {
        try TestServer.with { server throws in
            let connection = try server.connect()
            try connection.send(Self.head)
            var rest = ""
            for number in 1...5 {
                try connection.send(Self.chunk(TestServer.payload(number: number) + "\n"))
                if number == 1 { #expect(try connection.responseHead().status == 200) }
                let line = try Self.line(connection, &rest)
                #expect(line.contains(#""alert":"\#(number)""#))
                #expect(line.contains(#""outcome":"rendition""#))
            }
            try connection.send("0\r\n\r\n")
            #expect(try connection.chunk() == nil)
        }
    }

    @Test("Answers keep the order, and invalid lines pass unchanged")
    func order() throws {
        try TestServer.with { server throws in
            let slow = TestServer.payload("ridges-interlaced.png", number: 1)
            var lines = [slow, "not json", #"{"aps":{"alert":"3"}}"#, ""]
            for number in 4..<60 { lines.append(TestServer.payload(number: number)) }
            let answer = try server.request(
                "POST", "/v1/stage", ["Content-Type": "application/x-ndjson"],
                body: Array((lines.joined(separator: "\n") + "\n").utf8))
            #expect(answer.status == 200)
            let answers = answer.text.components(separatedBy: "\n").dropLast()
            #expect(answers.count == lines.count)
            #expect(answers[0].contains(#""alert":"1""#))
            #expect(answers[1] == "not json")
            #expect(answers[2] == lines[2])
            for number in 4..<60 { #expect(answers[number].contains(#""alert":"\#(number)""#)) }
        }
    }

    @Test("A client that goes away frees its work, its worker and its place")
    func disconnect() throws {
        try TestServer.with("--jobs", "1") { server throws in
            for worker in server.workers { kill(worker, SIGSTOP) }
            let connection = try server.connect()
            try connection.send(
                Self.head + Self.chunk(TestServer.payload("ridges-interlaced.png") + "\n"))
            #expect(try server.eventually { try server.metric("thimble_work_running") == 1 })
            // Work begins with the file's digest; the worker gets it after that.
            Thread.sleep(forTimeInterval: 1)
            connection.reset()
            #expect(try server.eventually { try server.metric("thimble_work_running") == 0 })
            #expect(try server.eventually { try server.metric("thimble_streams") == 0 })
            let next = try server.request(
                "POST", "/v1/stage", ["Content-Type": "application/json"],
                body: Array(TestServer.payload().utf8))
            #expect(next.fields["thimble-outcome"] == "rendition")
        }
    }

    @Test(
        "A stream without payloads ends after the idle time, even if bytes or lines drip",
        arguments: [" ", "\n", "[", "x\n", "1\n"])
    func idle(drip: String) throws {
        try TestServer.with("--idle-timeout", "1") { server throws in
            let connection = try server.connect(timeout: 10)
            try connection.send(Self.head + Self.chunk(TestServer.payload() + "\n"))
            let start = ContinuousClock.now
            for _ in 0..<40 {
                Thread.sleep(forTimeInterval: 0.1)
                do {
                    try connection.send(Self.chunk(drip))
                } catch {
                    break
                }
            }
            #expect(connection.isClosedByServer())
            #expect(ContinuousClock.now - start < .seconds(8))
        }
    }

    @Test("Streams over their number are answered with 429")
    func quota() throws {
        try TestServer.with("--max-streams", "1") { server throws in
            let first = try server.connect()
            try first.send(Self.head)
            #expect(try first.responseHead().status == 200)
            let second = try server.connect()
            try second.send(Self.head)
            let answer = try second.response()
            #expect(answer.status == 429)
            #expect(answer.fields["retry-after"] != nil)
        }
    }
}
