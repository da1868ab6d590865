import Foundation
import Testing

@Suite("The page", .serialized, .timeLimit(.minutes(3)))
struct PageTests {
    private static let picture = [
        "Content-Type": "application/octet-stream", "Thimble-Page": "1",
    ]
    private static let payload = ["Content-Type": "application/json", "Thimble-Page": "1"]

    private func policy(_ response: Response) -> String {
        response.fields["content-security-policy"] ?? ""
    }

    @Test("Without the option there is no page")
    func absent() throws {
        try TestServer.with { server throws in
            for path in ["/", "/page/main.js", "/page/limits"] {
                #expect(try server.request("GET", path).status == 404)
            }
            let trial = try server.request("POST", "/page/trials", Self.picture, body: [1])
            #expect(trial.status == 404)
        }
    }

    @Test("Its files have a strict policy, and name no other place")
    func files() throws {
        try TestServer.with("--page") { server throws in
            let page = try server.request("GET", "/")
            #expect(page.status == 200)
            #expect(page.fields["content-type"] == "text/html; charset=utf-8")
            let names = page.text.matches(of: /(?:src|href)="(page\/[a-z.]+)"/).map { "/\($0.1)" }
            #expect(names.count >= 6)
            let scripts = [
                "cards", "chart", "command", "dom", "intake", "ladder", "notification", "presets",
                "renditions", "trial", "units",
            ].map { "/page/\($0).js" }
            var total = 0
            for path in names + scripts {
                let file = try server.request("GET", path)
                #expect(file.status == 200, "\(path)")
                #expect(policy(file).contains("default-src 'none'"))
                #expect(file.fields["x-content-type-options"] == "nosniff")
                let tag = try #require(file.fields["etag"])
                #expect(try server.request("GET", path, ["If-None-Match": tag]).status == 304)
                #expect(try server.request("HEAD", path).status == 200)
                total += file.body.count
            }
            #expect(total + page.body.count < 300_000)
            #expect(!policy(page).contains("unsafe") && policy(page).contains("script-src 'self'"))
            #expect(!page.text.contains("https://") && !page.text.contains("<script>"))
            #expect(try server.request("GET", "/page/openapi.json").status == 404)
            #expect(try server.request("GET", "/page/..%2Fopenapi.json").status == 404)
            #expect(try server.request("POST", "/", body: []).status == 405)
        }
    }

    @Test("A picture is described, planned, measured, shown and forgotten")
    func trial() throws {
        try TestServer.with("--page") { server throws in
            let body = try TestServer.picture("lake-baseline.jpg")
            let answer = try server.request(
                "POST", "/page/trials?cap=24MiB&width=393&scale=3", Self.picture, body: body)
            #expect(answer.status == 200)
            #expect(answer.fields["cache-control"] == "no-store")
            let json = answer.json
            #expect((json["header"] as? [String: Any])?["format"] as? String == "jpeg")
            let ladder = try #require(json["ladder"] as? [String: Any])
            let rungs = try #require(ladder["rungs"] as? [[String: Any]])
            #expect(rungs.count { $0["isChosen"] as? Bool == true } == 1)
            let series = try #require(json["footprint"] as? [[String: Any]])
            let samples = series.flatMap { $0["samples"] as? [[Int]] ?? [] }
            #expect(samples.count > 1)
            #expect(samples.allSatisfy { $0.count == 2 && $0[1] <= 24 << 20 })
            let pictures = try #require(json["pictures"] as? [String: [String: String]])
            #expect(Set(pictures.keys) == ["expanded", "banner", "placeholder"])
            let expanded = Data(base64Encoded: pictures["expanded"]?["base64"] ?? "")
            #expect(expanded?.starts(with: [0xFF, 0xD8]) == true)
            let manifest = try #require(json["manifest"] as? [String: Any])
            let sizes = try #require(manifest["renditions"] as? [[String: Any]])
                .compactMap { ($0["size"] as? [String: Int])?["width"] }
            #expect(sizes.max() == 1179)
            let left = try FileManager.default.contentsOfDirectory(
                atPath: server.container.appending(path: "trials").path)
            #expect(left.isEmpty)
            let own = server.container.appending(path: "renditions").path
            #expect(try FileManager.default.subpathsOfDirectory(atPath: own).isEmpty)
        }
    }

    @Test("A cap that no rung fits refuses with the figures, and damage has a remedy")
    func failures() throws {
        try TestServer.with("--page") { server throws in
            func problem(_ query: String, _ body: [UInt8]) throws -> [String: Any] {
                let answer = try server.request(
                    "POST", "/page/trials?\(query)", Self.picture, body: body)
                #expect(answer.status == 200)
                return try #require(answer.json["problem"] as? [String: Any])
            }
            let truncated = try problem("cap=24MiB", TestServer.picture("ridges-truncated.jpg"))
            #expect(truncated["code"] as? String == "truncated")
            #expect((truncated["remedy"] as? String)?.isEmpty == false)
            let text = try problem("cap=24MiB", Array("no picture at all".utf8))
            #expect(text["code"] as? String == "unsupported")
            let small = try server.request(
                "POST", "/page/trials?cap=3MiB", Self.picture,
                body: TestServer.picture("lake-baseline.jpg"))
            #expect((small.json["problem"] as? [String: Any])?["code"] as? String == "over-cap")
            #expect(small.json["ladder"] != nil && small.json["manifest"] == nil)
            for query in [
                "cap=1MiB", "cap=9999MiB", "cap=x", "width=1", "scale=9", "scale=nan",
                "preset=watch",
            ] {
                let answer = try server.request(
                    "POST", "/page/trials?\(query)", Self.picture, body: [0xFF, 0xD8])
                #expect(answer.status == 400, "\(query)")
            }
        }
    }

    @Test("A payload shows its text and findings; private addresses and files are refused")
    func payloads() throws {
        try TestServer.with("--page") { server throws in
            func answer(_ media: String) throws -> [String: Any] {
                let body =
                    #"{"aps":{"alert":{"title":"<b>T</b>","body":"B"}},"thimble":{"media":"\#(media)"}}"#
                return try server.request(
                    "POST", "/page/trials", Self.payload, body: Array(body.utf8)
                ).json
            }
            let refused = try answer("https://10.0.0.8/a.jpg")
            let problem = try #require(refused["problem"] as? [String: Any])
            #expect(problem["code"] as? String == "refused-address")
            let text = try #require(refused["notification"] as? [String: Any])
            #expect(text["title"] as? String == "<b>T</b>" && text["body"] as? String == "B")
            let findings = try #require(refused["findings"] as? [[String: Any]])
            #expect(!findings.isEmpty)
            // The answer must not reveal if a file exists.
            let present = try answer("/etc/passwd")
            let absent = try answer("/etc/absent")
            for file in [present, absent] {
                let problem = file["problem"] as? [String: Any]
                #expect(problem?["code"] as? String == "local-picture")
            }
            let codes = [present, absent].map { answer in
                (answer["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
            }
            #expect(codes[0] == codes[1])
            let broken = try server.request(
                "POST", "/page/trials", Self.payload, body: Array("{".utf8)
            ).json
            #expect(broken["problem"] != nil)
        }
    }

    @Test("Without fetching, a URL is not fetched by the page either")
    func withoutFetching() throws {
        try TestServer.with("--page", "--no-fetch") { server throws in
            let body = #"{"aps":{"alert":"A"},"thimble":{"media":"https://example.com/a.jpg"}}"#
            let answer = try server.request(
                "POST", "/page/trials", Self.payload, body: Array(body.utf8))
            let problem = try #require(answer.json["problem"] as? [String: Any])
            #expect(problem["code"] as? String == "fetching-unavailable")
            #expect(answer.json["findings"] != nil && answer.json["manifest"] == nil)
        }
    }

    @Test("A container that cannot be written refuses trials, and the page stays")
    func readOnlyContainer() throws {
        try TestServer.with("--page") { server throws in
            // A file in place of the folder of trials stops root too, whom no mode stops.
            try Data().write(to: server.container.appending(path: "trials"))
            let body = try TestServer.picture("still-life-ready.jpg")
            let answer = try server.request("POST", "/page/trials", Self.picture, body: body)
            #expect(answer.status == 503 && answer.problem == "container")
            #expect(try server.request("GET", "/").status == 200)
        }
    }

    @Test("Other sites, other names and forms start no trial")
    func otherSites() throws {
        try TestServer.with("--page", "--server-name", "thimble.example") { server throws in
            let body = try TestServer.picture("still-life-ready.jpg")
            func status(_ fields: [String: String]) throws -> Int {
                try server.request(
                    "POST", "/page/trials", Self.picture.merging(fields) { $1 }, body: body
                ).status
            }
            #expect(try status([:]) == 200)
            #expect(try status(["Origin": "http://localhost"]) == 200)
            #expect(try status(["Origin": "http://evil.example"]) == 403)
            #expect(try status(["Origin": "null"]) == 403)
            #expect(try status(["Sec-Fetch-Site": "cross-site"]) == 403)
            #expect(try status(["Sec-Fetch-Site": "same-site"]) == 403)
            #expect(try status(["Thimble-Page": "0"]) == 403)
            func host(_ name: String) throws -> Int {
                let connection = try server.connect()
                try connection.send("GET / HTTP/1.1\r\nHost: \(name)\r\n\r\n")
                return try connection.response().status
            }
            for name in ["localhost:1", "127.0.0.1:80", "[::1]:80", "thimble.example"] {
                #expect(try host(name) == 200, "\(name)")
            }
            for name in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "x"] {
                #expect(try host(name) == 421, "\(name)")
            }
        }
    }

    @Test("With tokens the page is served, and trials need one")
    func tokens() throws {
        let token = "0123456789abcdef0123456789abcdef"
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(token.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try TestServer.with("--page", "--tokens", file.path) { server throws in
            #expect(try server.request("GET", "/").status == 200)
            #expect(try server.request("GET", "/page/limits").status == 200)
            let body = try TestServer.picture("still-life-ready.jpg")
            let anonymous = try server.request("POST", "/page/trials", Self.picture, body: body)
            #expect(anonymous.status == 401 && anonymous.problem == "unauthorised")
            let known = try server.request(
                "POST", "/page/trials",
                Self.picture.merging(["Authorization": "Bearer \(token)"]) { $1 },
                body: body)
            #expect(known.status == 200)
            // A token does not open the page to other sites.
            let other = try server.request(
                "POST", "/page/trials",
                Self.picture.merging([
                    "Authorization": "Bearer \(token)", "Sec-Fetch-Site": "cross-site",
                ]) { $1 }, body: body)
            #expect(other.status == 403)
        }
    }

    @Test("Uploads over the limit, and trials over their number, are refused")
    func limits() throws {
        try TestServer.with("--page", "--max-trials", "1", "--max-upload-bytes", "2MB") {
            server throws in
            let long = [UInt8](repeating: 0, count: 2_000_001)
            let refused = try server.request("POST", "/page/trials", Self.picture, body: long)
            #expect(refused.status == 413)
            let body = try TestServer.picture("ridges-progressive.jpg")
            let connections = try (0..<4).map { _ in try server.connect() }
            for connection in connections {
                try connection.send("POST", "/page/trials", Self.picture, body: body)
            }
            let statuses = try connections.map { try $0.response().status }
            #expect(statuses.allSatisfy { [200, 429].contains($0) } && statuses.contains(200))
            #expect(
                try server.request("POST", "/page/trials", Self.picture, body: body).status == 200)
        }
    }
}
