import AttachmentService
import Foundation
import InMemoryTracing
import Logging
import ServiceOptions
import Synchronization
import Testing
import Tracing

@Suite("Traces", .serialized, .timeLimit(.minutes(1)))
struct TracingTests {
    private static let json = ["Content-Type": "application/json"]
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("A request's log lines have milliseconds as a number, its outcome, code, id and trace")
    func log() throws {
        try TestServer.with("--log-level", "info") { server throws in
            let fields = Self.json.merging([
                "X-Request-Id": "one", "traceparent": Self.parent,
            ]) { $1 }
            let payload = #"{"aps":{"alert":"a"},"attachment-url":"/etc/hostname"}"#
            let answer = try server.request(
                "POST", "/v1/stage", fields, body: Array(payload.utf8))
            #expect(answer.fields["thimble-outcome"] == "without-picture")
            func line(_ message: String) -> [String: Any]? {
                server.log.compactMap {
                    try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }.first {
                    $0["message"] as? String == message && $0["requestId"] as? String == "one"
                }
            }
            #expect(server.eventually { line("request") != nil && line("payload") != nil })
            let request = try #require(line("request"))
            #expect(request["milliseconds"] as? Double ?? -1 >= 0)
            #expect(request["outcome"] as? String == "without-picture")
            #expect(request["code"] as? String == "outside-roots")
            #expect(request["traceparent"] as? String == Self.parent)
            #expect(line("payload")?["traceparent"] as? String == Self.parent)
            for invalid in [
                "x", Self.parent.replacing("4", with: "G"), "01" + Self.parent.dropFirst(2),
            ] {
                _ = try server.request(
                    "GET", "/v1/attachments/x", ["X-Request-Id": "two", "traceparent": invalid])
            }
            #expect(
                server.eventually { server.log.count { $0.contains(#""requestId":"two""#) } == 3 })
            #expect(server.log.allSatisfy { !$0.contains("two") || !$0.contains("traceparent") })
        }
    }

    @Test("A request is a span, and its steps are spans below it")
    func spans() async throws {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-tracing-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ServiceConfiguration()
        configuration.container = folder.path
        (configuration.port, configuration.operationsPort, configuration.jobs) = (0, 0, 1)
        configuration.payloads.allowedFolders = [TestServer.package.appending(path: "Images").path]
        var service = try ThimbleService(
            configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        service.onListening = { port.yield($0) }
        let running = Task { [service] in try await service.run() }
        let number = try #require(await ports.first { _ in true })
        func send(_ type: String, _ body: String) throws -> Response {
            let connection = try RawConnection(port: number)
            try connection.send("POST", "/v1/stage", ["Content-Type": type], body: Array(body.utf8))
            return try connection.response()
        }
        #expect(try send("application/json", TestServer.payload()).status == 200)
        #expect(
            try send("application/x-ndjson", TestServer.payload("lake-baseline.jpg") + "\n").status
                == 200)
        let spans = tracer.finishedSpans
        let requests = spans.filter { $0.operationName == "POST /v1/stage" }
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.attributes.get("http.response.status_code") == .int64(200))
            let steps = spans.filter {
                $0.spanContext.parentSpanID == request.spanContext.spanID
                    && $0.spanContext.traceID == request.spanContext.traceID
            }.map(\.operationName)
            #expect(
                Set(steps).isSuperset(of: ["queue", "recall", "decode", "publish"]), "\(steps)")
        }
        running.cancel()
        _ = await running.result
    }
}
