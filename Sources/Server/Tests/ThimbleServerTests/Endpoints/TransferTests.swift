import Foundation
import Testing

@Suite("Fetching and publishing", .serialized, .timeLimit(.minutes(2)))
struct TransferTests {
    private static let json = ["Content-Type": "application/json"]

    private static func payload(_ urls: String...) -> [UInt8] {
        let members = urls.enumerated().map { #""p\#($0.offset)":"\#($0.element)""# }
        return Array(#"{"aps":{"alert":"x"},"att":{\#(members.joined(separator: ","))}}"#.utf8)
    }

    @Test("Pictures of URLs are fetched once, processed, published and named in the payload")
    func fetchedAndPublished() throws {
        try TestOrigin.with { origin throws in
            let published = FileManager.default.temporaryDirectory
                .appending(path: "thimble-published-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: published) }
            let server = try TestServer(
                origin.options + [
                    "--publish", published.path, "--publish-url", "https://media.example/r",
                ])
            defer { server.end() }
            let payload = Self.payload(
                origin.url("still-life-ready.jpg"), origin.url("ridges-interlaced.png"))
            for _ in 0..<3 {
                let answer = try server.request("POST", "/v1/stage", Self.json, body: payload)
                #expect(answer.fields["thimble-outcome"] == "rendition, rendition")
                let locations = try #require(answer.json["att"] as? [String: String])
                #expect(locations.count == 2)
                for url in locations.values {
                    #expect(url.hasPrefix("https://media.example/r/"))
                    let file = url.dropFirst("https://media.example/r/".count)
                    let bytes = try Data(contentsOf: published.appending(path: String(file)))
                    #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]))
                }
                let note = try #require(answer.json["thimble"] as? [String: Any])
                #expect((note["others"] as? [Any])?.count == 1)
            }
            #expect(origin.requests(for: "still-life-ready.jpg") == 1)
            #expect(try server.metric(#"thimble_step_seconds_count{step="fetch"}"#) == 1)
            #expect(try server.metric(#"thimble_step_seconds_count{step="store"}"#) == 1)
            #expect(try server.metric("thimble_cache_hits_total") == 4)
        }
    }

    @Test("A stream with one picture is answered in order, from memory")
    func campaign() throws {
        try TestOrigin.with { origin throws in
            let server = try TestServer(
                origin.options + ["--publish-url", "https://media.example/r"])
            defer { server.end() }
            let url = origin.url("still-life-ready.jpg")
            let lines = (0..<2000).map { #"{"aps":{"alert":"\#($0)"},"att":{"a":"\#(url)"}}"# }
            let answer = try server.request(
                "POST", "/v1/stage", ["Content-Type": "application/x-ndjson"],
                body: Array((lines.joined(separator: "\n") + "\n").utf8))
            let answers = answer.text.split(separator: "\n")
            #expect(answers.count == lines.count)
            for (number, line) in answers.enumerated() {
                #expect(line.hasPrefix(#"{"aps":{"alert":"\#(number)"},"att":{"a":"https://media"#))
            }
            #expect(origin.requests(for: "still-life-ready.jpg") == 1)
            #expect(try server.metric("thimble_cache_misses_total") == 1)
        }
    }

    @Test("An attachment is fetched from its URL, and published")
    func attachment() throws {
        try TestOrigin.with { origin throws in
            let server = try TestServer(
                origin.options + ["--publish-url", "https://media.example/r"])
            defer { server.end() }
            let url = origin.url("still-life-ready.jpg")
            let body = #"{"url":"\#(url)","identifier":"order-7"}"#
            let answer = try server.request(
                "POST", "/v1/attachments", Self.json, body: Array(body.utf8))
            #expect(answer.status == 201)
            #expect(answer.json["identifier"] as? String == "order-7")
            let published = try #require(answer.json["url"] as? String)
            #expect(published.hasPrefix("https://media.example/r/"))
            let again = try server.request(
                "POST", "/v1/attachments", Self.json, body: Array(body.utf8))
            #expect(again.status == 200)
            #expect(origin.requests(for: "still-life-ready.jpg") == 1)
        }
    }

    @Test("Refused and missing URLs are typed problems, and payloads keep them")
    func refused() throws {
        try TestOrigin.with { origin throws in
            let server = try TestServer(origin.options)
            defer { server.end() }
            for (url, code) in [
                (origin.url("missing.jpg"), "http-status"),
                ("http://10.0.0.1/a", "refused-address"),
                ("http://[::ffff:10.0.0.1]/a", "refused-address"),
                ("ftp://127.0.0.1/a", "refused-scheme"), ("http://127.0.0.1:1/a", "refused-port"),
                ("", "invalid-url"), (origin.url("sunset.txt"), "http-status"),
            ] {
                let body = Array(#"{"url":"\#(url)"}"#.utf8)
                let answer = try server.request("POST", "/v1/attachments", Self.json, body: body)
                #expect(answer.status == 422)
                #expect(answer.problem == code, "\(url)")
                guard url.hasPrefix("http") else { continue }
                let payload = Self.payload(url)
                let staged = try server.request("POST", "/v1/stage", Self.json, body: payload)
                #expect(staged.body == payload)
                #expect(staged.fields["thimble-outcome"] == "without-picture")
                #expect(staged.fields["thimble-reason"] == code, "\(url)")
            }
        }
    }

    @Test("A store that cannot be written leaves the payload its own location")
    func unavailableStore() throws {
        try TestServer.with(
            "--publish", "/dev/null/r", "--publish-url", "https://media.example/r"
        ) { server throws in
            let payload = TestServer.payload()
            let answer = try server.request(
                "POST", "/v1/stage", Self.json, body: Array(payload.utf8))
            #expect(answer.fields["thimble-outcome"] == "original")
            #expect(answer.fields["thimble-reason"] == "publish-storage")
            let location = try #require(answer.json["attachment-url"] as? String)
            #expect(payload.contains(location))
            let attachment = try server.request(
                "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
                body: try TestServer.picture("still-life-ready.jpg"))
            #expect(attachment.status == 503)
            #expect(attachment.problem == "publish-storage")
        }
    }
}
