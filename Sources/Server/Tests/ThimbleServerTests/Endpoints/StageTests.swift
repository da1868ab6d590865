import Foundation
import Testing

@Suite("POST /v1/stage", .serialized, .timeLimit(.minutes(2)))
struct StageTests {
    private static let json = ["Content-Type": "application/json"]

    @Test("A payload gets the rendition, which the service serves")
    func staged() throws {
        try TestServer.with { server throws in
            let answer = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(TestServer.payload().utf8))
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "application/json")
            #expect(answer.fields["thimble-outcome"] == "rendition")
            let note = try #require(answer.json["thimble"] as? [String: Any])
            let file = try #require(note["rendition"] as? String)
            let rendition = try server.request("GET", "/v1/renditions/\(file)")
            #expect(rendition.status == 200)
            #expect(rendition.body.starts(with: [0xFF, 0xD8, 0xFF]))
        }
    }

    @Test("With a public URL, the payload's location becomes that of the rendition")
    func published() throws {
        try TestServer.with("--publish-url", "https://media.example/r") { server throws in
            let answer = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(TestServer.payload().utf8))
            let url = try #require(answer.json["attachment-url"] as? String)
            #expect(url.hasPrefix("https://media.example/r/"))
        }
    }

    @Test("Outcomes of all attachments are in the field, the envelope and the metrics")
    func severalAttachments() throws {
        try TestServer.with { server throws in
            let images = TestServer.package.appending(path: "Images").path
            let payload =
                #"{"aps":{},"attachment-url":["\#(images)/lake-baseline.jpg","\#(images)/missing.jpg"]}"#
            let answer = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(payload.utf8))
            #expect(answer.fields["thimble-outcome"] == "rendition, without-picture")
            #expect(answer.fields["thimble-reason"] == "missing")
            let line = try server.request(
                "POST", "/v1/stage?envelope=1", Self.json, body: Array(payload.utf8))
            #expect(line.json["outcome"] as? String == "without-picture")
            let attachments = try #require(line.json["attachments"] as? [[String: Any]])
            #expect(
                attachments.map { $0["outcome"] as? String } == ["rendition", "without-picture"])
            let metrics = try server.operations("/metrics").text
            #expect(metrics.contains(#"thimble_payloads_total{outcome="without-picture"} 2"#))
            #expect(metrics.contains(#"thimble_payload_attachments_total{outcome="rendition"} 2"#))
        }
    }

    @Test("Each element of an array is staged, and nothing else of the array changes")
    func array() throws {
        try TestServer.with("--publish-url", "https://media.example/r") { server throws in
            let image = TestServer.package.appending(path: "Images/lake-baseline.jpg").path
            let element = { (name: String) in
                #"{"to":"ExponentPushToken[\#(name)]","body":"Hi","#
                    + #""richContent":{"image":"\#(image)"}}"#
            }
            let body = "[ \(element("a")),\n 7 , \(element("b")) ]"
            let answer = try server.request("POST", "/v1/stage", Self.json, body: Array(body.utf8))
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "application/json")
            #expect(answer.text.hasPrefix(#"[ {"to":"ExponentPushToken[a]","body":"Hi","#))
            #expect(answer.text.contains("},\n 7 , {") && answer.text.hasSuffix("} ]"))
            let elements = try #require(
                JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [Any])
            let images = elements.map {
                (($0 as? [String: Any])?["richContent"] as? [String: Any])?["image"] as? String
            }
            #expect(images[0]?.hasPrefix("https://media.example/r/") == true)
            #expect(images[1] == nil && images[2] == images[0])
            let enveloped = try server.request(
                "POST", "/v1/stage?envelope=1", Self.json, body: Array(body.utf8))
            #expect(enveloped.fields["content-type"] == "application/x-ndjson")
            let lines = enveloped.text.split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines.last?.contains(#""outcomes":{"passed-on":1,"rendition":2}"#) == true)
        }
    }

    @Test("Payloads without a picture and with one elsewhere pass with their reasons")
    func withoutPicture() throws {
        try TestServer.with("--no-fetch") { server throws in
            let plain = #"{"aps":{"alert":"x"}}"#
            let answer = try server.request("POST", "/v1/stage", Self.json, body: Array(plain.utf8))
            #expect(answer.text == plain)
            #expect(answer.fields["thimble-reason"] == "no-attachment")
            for (location, reason) in [
                ("https://example.com/a.jpg", "unavailable"), ("/etc/passwd", "outside-roots"),
            ] {
                let payload = #"{"aps":{},"attachment-url":"\#(location)"}"#
                let answer = try server.request(
                    "POST", "/v1/stage", Self.json, body: Array(payload.utf8))
                #expect(answer.status == 200)
                #expect(answer.fields["thimble-outcome"] == "without-picture")
                #expect(answer.fields["thimble-reason"] == reason)
            }
        }
    }

    @Test("Invalid payloads, types, deadlines and lengths are typed problems")
    func problems() throws {
        try TestServer.with("--max-payload-bytes", "10kB") { server throws in
            func problem(_ fields: [String: String], _ body: [UInt8]) throws -> String {
                let answer = try server.request("POST", "/v1/stage", fields, body: body)
                #expect(answer.json["status"] as? Int == answer.status)
                #expect(answer.json["requestId"] as? String == answer.fields["x-request-id"])
                #expect(answer.json["remedy"] != nil)
                return "\(answer.status) \(answer.problem ?? "none")"
            }
            let fields = Self.json
            #expect(try problem(fields, Array("{".utf8)) == "422 truncated")
            #expect(try problem(fields, Array("[1]".utf8)) == "422 wrong-shape")
            #expect(try problem(fields, Array("".utf8)) == "422 empty")
            #expect(try problem([:], Array("{}".utf8)) == "415 unsupported-media-type")
            #expect(
                try problem(["Content-Type": "text/plain"], Array("{}".utf8))
                    == "415 unsupported-media-type")
            let long = Array(repeating: UInt8(ascii: " "), count: 20_000)
            #expect(try problem(fields, long) == "413 too-large")
            for deadline in ["0", "-1", "x", "nan", "0x1p3", "1e3"] {
                let fields = fields.merging(["Thimble-Deadline": deadline]) { $1 }
                #expect(try problem(fields, Array("{}".utf8)) == "400 invalid-request")
            }
        }
    }

    @Test("A short deadline is answered in time, without the picture")
    func deadline() throws {
        try TestServer.with { server throws in
            for worker in server.workers { kill(worker, SIGSTOP) }
            let start = ContinuousClock.now
            let answer = try server.request(
                "POST", "/v1/stage", Self.json.merging(["Thimble-Deadline": "0.5"]) { $1 },
                body: Array(TestServer.payload("ridges-interlaced.png").utf8))
            #expect(ContinuousClock.now - start < .seconds(4))
            #expect(answer.status == 200)
            #expect(answer.fields["thimble-reason"] != nil)
        }
    }

    @Test("Request ids are echoed if they are safe, else replaced")
    func requestIDs() throws {
        try TestServer.with { server throws in
            let given = try server.request("GET", "/openapi.json", ["X-Request-ID": "a-1.B_2"])
            #expect(given.fields["x-request-id"] == "a-1.B_2")
            for id in ["a b", String(repeating: "x", count: 65), #""}{"#] {
                let answer = try server.request("GET", "/openapi.json", ["X-Request-ID": id])
                let made = try #require(answer.fields["x-request-id"])
                #expect(made != id && made.count == 16)
            }
        }
    }
}
