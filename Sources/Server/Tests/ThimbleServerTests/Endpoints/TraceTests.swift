import Foundation
import Testing

@Suite("Outcomes and traces of the service", .serialized, .timeLimit(.minutes(2)))
struct TraceTests {
    private static let json = ["Content-Type": "application/json"]
    private static let lines = ["Content-Type": "application/x-ndjson", "X-Request-ID": "trace-1"]
    private static let fetched = #"{"aps":{},"attachment-url":"https://127.0.0.1/a.jpg?token=1"}"#

    private static func payload(of bytes: Int) -> String {
        let payload = TestServer.payload()
        let filler = String(repeating: "x", count: bytes - payload.utf8.count)
        return payload.replacing(#""alert":"0"#, with: #""alert":"0\#(filler)"#)
    }

    @Test("A payload without room for the URL is no-room in header and metrics")
    func noRoom() throws {
        try TestServer.with("--publish-url", "https://media.example/r") { server throws in
            let payload = Self.payload(of: 4096)
            let answer = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(payload.utf8))
            #expect(answer.fields["thimble-outcome"] == "no-room" && answer.text == payload)
            #expect(answer.fields["thimble-reason"] == "no-room")
            #expect(answer.fields["thimble-reach"] == "devices")
            #expect(try server.metric(#"thimble_payloads_total{outcome="no-room"}"#) == 1)
            let voIP = try server.request(
                "POST", "/v1/stage", Self.json.merging(["apns-push-type": "voip"]) { $1 },
                body: Array(payload.utf8))
            #expect(voIP.fields["thimble-outcome"] == "rendition")
            #expect(voIP.text.contains("https://media.example/r/"))
        }
    }

    @Test("Without a URL the answer says that only this machine reaches the rendition")
    func reach() throws {
        try TestServer.with { server throws in
            let answer = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(TestServer.payload().utf8))
            #expect(answer.fields["thimble-reach"] == "this-machine")
        }
    }

    @Test("Envelopes have outcome, line, location and payload, and the last line the summary")
    func envelope() throws {
        try TestServer.with { server throws in
            let payloads = [TestServer.payload(), "not json", Self.fetched, #"{"aps":{}}"#]
            let answer = try server.request(
                "POST", "/v1/stage?envelope=1", Self.lines,
                body: Array(payloads.joined(separator: "\n").utf8))
            let lines = try answer.text.split(separator: "\n").map {
                try #require(
                    JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            try #require(lines.count == 5)
            #expect(
                lines.dropLast().map { $0["outcome"] as? String } == [
                    "rendition", "passed-on", "without-picture", "without-picture",
                ])
            #expect(lines.dropLast().map { $0["line"] as? Int } == [1, 2, 3, 4])
            #expect(lines.allSatisfy { $0["requestId"] as? String == "trace-1" })
            #expect(lines[1]["text"] as? String == "not json" && lines[1]["payload"] == nil)
            let payload = try #require(lines[0]["payload"] as? [String: Any])
            #expect(payload["thimble"] != nil)
            let attachments = try #require(lines[2]["attachments"] as? [[String: Any]])
            #expect(attachments.first?["location"] as? String == "https://127.0.0.1/a.jpg")
            let summary = try #require(lines[4]["summary"] as? [String: Any])
            #expect(summary["payloads"] as? Int == 4)
            // The log names request, line and location, without the query.
            func refusal() -> String? {
                server.log.first { $0.contains(#""code":"refused-address""#) }
            }
            #expect(server.eventually { refusal() != nil })
            let log = try #require(refusal())
            #expect(log.contains(#""line":3"#) && log.contains(#""requestId":"trace-1""#))
            #expect(log.contains("https://127.0.0.1/a.jpg") && !log.contains("token"))
        }
    }

    @Test("Every stream ends with a trailer that counts the outcomes")
    func trailer() throws {
        try TestServer.with { server throws in
            let body = [TestServer.payload(), "not json"].joined(separator: "\n")
            let connection = try server.connect()
            try connection.send("POST", "/v1/stage", Self.lines, body: Array(body.utf8))
            let head = try connection.responseHead()
            #expect(head.fields["trailer"] == "thimble-summary")
            while try connection.chunk() != nil {}
            #expect(
                connection.trailers["thimble-summary"]
                    == "payloads=2, passed-on=1, rendition=1, attachments.rendition=1")
        }
    }

    @Test("Unknown query parameters, parts and members are refused with the nearest name")
    func unknownNames() throws {
        try TestServer.with { server throws in
            let form =
                "--b\r\nContent-Disposition: form-data; name=\"categry\"\r\n\r\nx\r\n--b--\r\n"
            let multipart = ["Content-Type": "multipart/form-data; boundary=b"]
            for (path, fields, body, name) in [
                ("/v1/stage?envelop=1", Self.json, "{}", "envelope"),
                ("/v1/attachments", Self.json, #"{"url":"https://a","categroy":"x"}"#, "category"),
                ("/v1/attachments", multipart, form, "category"),
            ] {
                let answer = try server.request("POST", path, fields, body: Array(body.utf8))
                #expect(answer.status == 400 && answer.problem == "unknown-name", "\(path)")
                #expect((answer.json["remedy"] as? String)?.contains("mean \(name)?") == true)
            }
            // Paths without parameters have none that could be meant.
            let made = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(TestServer.payload().utf8))
            let note = try #require(made.json["thimble"] as? [String: Any])
            let file = try #require(note["rendition"] as? String)
            let identifier = try #require(note["id"] as? String)
            for path in [
                "/v1/attachments/\(identifier)", "/v1/renditions/\(file)", "/openapi.json",
            ] {
                #expect(try server.request("GET", path).status == 200)
                let answer = try server.request("GET", "\(path)?width=300")
                #expect(answer.status == 400 && answer.problem == "unknown-name", "\(path)")
                #expect(
                    answer.json["detail"] as? String
                        == "the request has an unknown query parameter: width")
            }
        }
    }

    @Test("Problems of fetched attachments name the URL without its query")
    func location() throws {
        try TestServer.with { server throws in
            let answer = try server.request(
                "POST", "/v1/attachments", Self.json,
                body: Array(#"{"url":"https://127.0.0.1/a.jpg?token=1"}"#.utf8))
            #expect(answer.json["location"] as? String == "https://127.0.0.1/a.jpg")
        }
    }
}
