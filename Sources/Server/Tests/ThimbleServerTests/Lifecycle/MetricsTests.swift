import Foundation
import Testing

@Suite("Metrics and health", .serialized, .timeLimit(.minutes(1)))
struct MetricsTests {
    @Test("The counts are those of the requests")
    func counts() throws {
        try TestServer.with { server throws in
            let picture = try TestServer.picture("still-life-ready.jpg")
            let fields = ["Content-Type": "image/jpeg"]
            for _ in 0..<3 {
                _ = try server.request("POST", "/v1/attachments", fields, body: picture)
            }
            for number in 0..<4 {
                _ = try server.request(
                    "POST", "/v1/stage", ["Content-Type": "application/json"],
                    body: Array(TestServer.payload(number: number).utf8))
            }
            _ = try server.request("POST", "/v1/attachments", fields, body: [1, 2, 3])
            _ = try server.request("GET", "/nowhere")
            func metric(_ series: String) throws -> Double { try server.metric(series) ?? -1 }
            let posts = #"thimble_requests_total{route="/v1/attachments",method="POST",status="#
            #expect(try metric(posts + #""201"}"#) == 1)
            #expect(try metric(posts + #""200"}"#) == 2)
            #expect(try metric(posts + #""422"}"#) == 1)
            #expect(
                try metric(
                    #"thimble_requests_total{route="/v1/stage",method="POST",status="200"}"#) == 4)
            #expect(
                try metric(#"thimble_requests_total{route="none",method="GET",status="404"}"#) == 1)
            #expect(try metric(#"thimble_payloads_total{outcome="rendition"}"#) == 4)
            #expect(try metric("thimble_cache_misses_total") == 1)
            #expect(try metric("thimble_cache_hits_total") == 6)
            #expect(try metric("thimble_worker_peak_ratio_count") == 1)
            #expect(try metric(#"thimble_worker_peak_ratio_bucket{le="1"}"#) == 1)
            // A picture that is known needs no worker, so three payloads do not queue for one.
            #expect(try metric(#"thimble_step_seconds_count{step="queue"}"#) == 5)
            #expect(try metric(#"thimble_step_seconds_count{step="receive"}"#) == 4)
            #expect(try metric(#"thimble_step_seconds_count{step="fetch"}"#) == 0)
            #expect(try metric(#"thimble_step_seconds_count{step="publish"}"#) == 1)
            let stages = (0..<4).map { TestServer.payload(number: $0).utf8.count }.reduce(0, +)
            #expect(
                try metric("thimble_received_bytes_total")
                    == Double(3 * picture.count + stages + 3))
            #expect(try metric(#"thimble_refusals_total{code="not-found"}"#) == 1)
            #expect(try metric("thimble_workers_lost_total") == 0)
            #expect(try metric("thimble_worker_cap_bytes") == 24 * 1024 * 1024)
        }
    }

    @Test("The text follows the format, and every histogram is cumulative")
    func format() throws {
        try TestServer.with { server throws in
            _ = try server.request("GET", "/openapi.json")
            let answer = try server.operations("/metrics")
            #expect(
                answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            var types: [Substring: Substring] = [:]
            var helps: Set<Substring> = []
            var cumulative: [Substring: Double] = [:]
            for line in answer.text.split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 3)
                if line.hasPrefix("# HELP ") {
                    helps.insert(words[2])
                    #expect(words.count == 4)
                } else if line.hasPrefix("# TYPE ") {
                    types[words[2]] = words[3]
                } else {
                    let value = try #require(line.split(separator: " ").last.flatMap { Double($0) })
                    let name = line.prefix { $0 != "{" && $0 != " " }
                    let family = ["_bucket", "_sum", "_count"].reduce(name) { name, suffix in
                        name.hasSuffix(suffix) && types[name.dropLast(suffix.count)] == "histogram"
                            ? name.dropLast(suffix.count) : name
                    }
                    #expect(types[family] != nil && helps.contains(family), "\(line)")
                    #expect(types[family] != "counter" || name.hasSuffix("_total"), "\(line)")
                    if name.hasSuffix("_bucket") {
                        let series = line.prefix(
                            upTo: try #require(line.range(of: "le=")).lowerBound)
                        #expect(value >= cumulative[series] ?? 0, "\(line)")
                        cumulative[series] = value
                    }
                }
            }
            #expect(types.count > 20)
        }
    }

    @Test("The encoding of an inline picture waits in the queue, unless the picture is known")
    func inlinePictures() throws {
        try TestServer.with("--inline", "always", "--inline-chroma", "444") { server throws in
            // The first waits for its rendition and its inline picture; the second at most for its
            // rendition, unless that is still known.
            for waits in [2.0...2, 2...3] {
                let answer = try server.request(
                    "POST", "/v1/stage", ["Content-Type": "application/json"],
                    body: Array(TestServer.payload(number: 1).utf8))
                #expect(answer.status == 200)
                #expect(answer.text.contains(#""inline":"A"#), "\(answer.text)")
                let count = try server.metric(#"thimble_step_seconds_count{step="queue"}"#)
                #expect(waits.contains(count ?? 0))
            }
        }
    }

    @Test("Health, unknown paths and methods of the second port")
    func operations() throws {
        try TestServer.with { server throws in
            #expect(try server.operations("/health/live").text == "live\n")
            #expect(try server.operations("/health/ready").text == "ready\n")
            #expect(try server.operations("/v1/stage").status == 404)
            let connection = try RawConnection(port: server.operationsPort)
            try connection.send("POST", "/metrics", body: [])
            #expect(try connection.response().status == 405)
        }
    }

    @Test("The log has no identifier, text or query of a request")
    func privacy() throws {
        try TestServer.with("--log-level", "debug") { server throws in
            let secret = "S3cr3tWord"
            let payload =
                #"{"aps":{"alert":"\#(secret)"},"thimble":{"id":"\#(secret)"},"#
                + #""attachment-url":"https://127.0.0.1/a.jpg?\#(secret)"}"#
            // The unknown parameter is refused.
            for query in ["?key=\(secret)", ""] {
                _ = try server.request(
                    "POST", "/v1/stage\(query)", ["Content-Type": "application/json"],
                    body: Array(payload.utf8))
            }
            _ = try server.request("GET", "/v1/attachments/\(secret)")
            _ = try server.request("GET", "/\(secret)")
            _ = try server.request("\(secret.uppercased())", "/")
            _ = try server.request(
                "POST", "/v1/attachments",
                ["Content-Type": "image/png", "Thimble-Identifier": secret],
                body: Array(secret.utf8))
            #expect(server.eventually { server.log.count >= 7 })
            for line in server.log {
                #expect(!line.lowercased().contains(secret.lowercased()), "\(line)")
                let fields = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                #expect(fields is [String: Any], "\(line)")
            }
        }
    }
}
