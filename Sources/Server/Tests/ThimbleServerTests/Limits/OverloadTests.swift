import Foundation
import Testing

@Suite("Overload", .serialized, .timeLimit(.minutes(2)))
struct OverloadTests {
    private static let json = ["Content-Type": "application/json"]

    @Test("A full queue answers at once with 429 and Retry-After, and health stays quick")
    func queue() throws {
        try TestServer.with("--jobs", "1", "--max-queue", "2") { server throws in
            for worker in server.workers { kill(worker, SIGSTOP) }
            let payload = Array(TestServer.payload("ridges-interlaced.png").utf8)
            let fields = Self.json.merging(["Thimble-Deadline": "20"]) { $1 }
            // Two in work, and two that wait; payloads with the same picture would share one place.
            var waiting: [RawConnection] = []
            for (count, picture) in zip(
                1...,
                ["ridges-interlaced.png", "still-life.png", "lake-baseline.jpg", "meadow.tiff"])
            {
                let connection = try server.connect()
                try connection.send(
                    "POST", "/v1/stage", fields, body: Array(TestServer.payload(picture).utf8))
                waiting.append(connection)
                #expect(
                    try server.eventually {
                        let running = try server.metric("thimble_work_running") ?? 0
                        return running + (try server.metric("thimble_queue_depth") ?? 0)
                            == Double(count)
                    })
            }
            for path in ["/v1/stage", "/v1/attachments", "/v1/inspect"] {
                let start = ContinuousClock.now
                let answer = try server.request("POST", path, fields, body: payload)
                #expect(answer.status == 429 && answer.problem == "overloaded")
                #expect(answer.fields["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
                #expect(ContinuousClock.now - start < .seconds(1))
            }
            // The connection ends, whatever body follows the refused head.
            let picture = try TestServer.picture("still-life-ready.jpg")
            for _ in 0..<20 {
                let connection = try server.connect()
                try connection.send(
                    "POST", "/v1/attachments", ["Content-Type": "image/jpeg"], body: picture)
                #expect(try connection.response().problem == "overloaded")
                #expect(connection.isClosedByServer())
            }
            #expect(try server.request("GET", "/openapi.json").status == 200)
            let start = ContinuousClock.now
            #expect(try server.operations("/health/live").status == 200)
            #expect(ContinuousClock.now - start < .milliseconds(500))
            for worker in server.workers { kill(worker, SIGCONT) }
            for connection in waiting {
                #expect(try connection.response().fields["thimble-outcome"] != nil)
            }
            #expect(
                try server.metric(#"thimble_refusals_total{code="overloaded"}"#) == 23)
        }
    }

    @Test("Connections over the limit are answered with 429 and end")
    func connections() throws {
        try TestServer.with("--max-connections", "3") { server throws in
            let idle = try (1...3).map { _ in try server.connect() }
            for connection in idle {
                try connection.send("GET", "/openapi.json")
                #expect(try connection.response().status == 200)
            }
            let excess = try server.connect()
            try excess.send("GET", "/openapi.json")
            let answer = try excess.response()
            #expect(answer.status == 429 && answer.problem == "too-many-connections")
            #expect(answer.fields["connection"] == "close")
            #expect(excess.isClosedByServer())
            let head = try server.connect()
            try head.send("HEAD", "/openapi.json")
            #expect(try head.response(isHead: true).status == 429)
            #expect(try head.rest().isEmpty)
            try idle[0].send("GET", "/openapi.json")
            #expect(try idle[0].response().status == 200)
            #expect(try server.metric("thimble_connections_refused_total") == 2)
        }
    }

    @Test("Uploads over their number are answered with 429")
    func uploads() throws {
        try TestServer.with("--max-uploads", "1") { server throws in
            let held = try server.holdUpload()
            defer { withExtendedLifetime(held) {} }
            let second = try server.request(
                "POST", "/v1/attachments", ["Content-Type": "image/png"], body: [65])
            #expect(second.status == 429)
        }
    }
}
