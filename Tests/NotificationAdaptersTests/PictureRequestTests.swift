import AttachmentContainer
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Requests for pictures", .serialized, .timeLimit(.minutes(1)))
struct PictureRequestTests {
    private let fixture: PrivateDeliveryFixture

    init() throws { fixture = try PrivateDeliveryFixture() }

    private func answer(_ request: PictureRequest) async throws -> DeliveryAnswer {
        try await fixture.answer(.request(request))
    }

    @Test("Method, header fields and body reach the server, and cookies are neither sent nor kept")
    func request() async throws {
        let requests = Requests()
        let photograph = try fixture.photograph
        let server = try LoopbackServer({ request in
            requests.add(request)
            return .answer(status: 200, headers: ["Set-Cookie: id=1; Path=/"], body: photograph)
        })
        let request = PictureRequest(
            try server.url("picture"), method: "POST",
            headers: ["Authorization": "Bearer secret", "X-Device": "phone"],
            body: Data("id=4".utf8))
        for _ in 0..<2 { #expect(try await answer(request).outcome.kind == .rendition) }
        #expect(requests.all.count == 2)
        for received in requests.all {
            #expect(received.method == "POST" && received.body == Data("id=4".utf8))
            #expect(received.headers["authorization"] == "Bearer secret")
            #expect(received.headers["x-device"] == "phone")
            #expect(received.headers["cookie"] == nil)
        }
    }

    @Test("A picture behind a log-in needs the token")
    func token() async throws {
        let photograph = try fixture.photograph
        let server = try LoopbackServer({ request in
            request.headers["authorization"] == "Bearer secret"
                ? .answer(status: 200, body: photograph)
                : .answer(status: 401, headers: ["WWW-Authenticate: Bearer"])
        })
        let url = try server.url("picture")
        let refused = try await answer(PictureRequest(url))
        #expect(refused.outcome.kind == .withoutPicture)
        #expect(refused.reasons.first?.code.rawValue == "download-refused")
        let wrong = try await answer(PictureRequest(url, headers: ["Authorization": "Bearer no"]))
        #expect(wrong.outcome.kind == .withoutPicture)
        let accepted = try await answer(
            PictureRequest(url, headers: ["Authorization": "Bearer secret"]))
        #expect(accepted.outcome.kind == .rendition)
    }

    @Test("A redirection keeps credentials within the origin, and drops them at another")
    func redirections() async throws {
        let (requests, photograph) = (Requests(), try fixture.photograph)
        let other = try LoopbackServer({ request in
            requests.add(request)
            return .answer(status: 200, body: photograph)
        })
        let elsewhere = try other.url("elsewhere").absoluteString
        let server = try LoopbackServer({ request in
            requests.add(request)
            return switch request.path {
            case "inside": .answer(status: 302, headers: ["Location: /moved"])
            case "outside": .answer(status: 307, headers: ["Location: \(elsewhere)"])
            default: .answer(status: 200, body: photograph)
            }
        })
        let headers = ["Authorization": "Bearer secret", "X-Device": "phone"]
        for path in ["inside", "outside"] {
            let answer = try await answer(PictureRequest(server.url(path), headers: headers))
            #expect(answer.outcome.kind == .rendition, "\(path): \(answer.reasons)")
        }
        #expect(requests.all.map(\.path) == ["inside", "moved", "outside", "elsewhere"])
        #expect(
            requests.all.map { $0.headers["authorization"] }
                == ["Bearer secret", "Bearer secret", "Bearer secret", nil])
        #expect(
            requests.all.map { $0.headers["x-device"] } == ["phone", "phone", "phone", nil])
    }

    @Test("A body is not sent to another origin, and no other scheme is followed")
    func refusedRedirections() async throws {
        let requests = Requests()
        let other = try LoopbackServer({ request in
            requests.add(request)
            return .answer(status: 200, body: Data("taken".utf8))
        })
        let elsewhere = try other.url("elsewhere").absoluteString
        let server = try LoopbackServer({ request in
            request.path == "body"
                ? .answer(status: 307, headers: ["Location: \(elsewhere)"])
                : .answer(status: 302, headers: ["Location: ftp://127.0.0.1/picture.jpg"])
        })
        let posted = try await answer(
            PictureRequest(server.url("body"), method: "POST", body: Data("secret".utf8)))
        #expect(posted.reasons.first?.code.rawValue == "download-insecure")
        let moved = try await answer(PictureRequest(server.url("scheme")))
        #expect(moved.reasons.first?.code.rawValue == "download-insecure")
        #expect(requests.all.isEmpty)
        #expect(try fixture.incoming == [])
    }

    @Test(
        "A header field or method with a line break is refused without a request",
        arguments: [("GET", "a\r\nHost: b"), ("GET\r\n", "a"), ("", "a"), ("GET", "a\u{0}")])
    func lineBreaks(method: String, value: String) async throws {
        let requests = Requests()
        let server = try LoopbackServer({ request in
            requests.add(request)
            return .answer(status: 200)
        })
        let answer = try await answer(
            PictureRequest(server.url("a"), method: method, headers: ["X-Token": value]))
        #expect(answer.reasons.first?.code.rawValue == "download-invalid")
        #expect(requests.all.isEmpty)
    }

    @Test("No description or dump of a request or source shows URL, token or body")
    func descriptions() throws {
        let request = PictureRequest(
            try #require(URL(string: "https://private.example/secret")), method: "POST",
            headers: ["Authorization": "Bearer secret"], body: Data("secret".utf8))
        let source = PictureSource.request(request)
        var dumped = ""
        dump(source, to: &dumped)
        let texts = ["\(request)", "\(source)", String(reflecting: source), dumped]
        #expect(
            texts.allSatisfy {
                $0.contains("POST request") && !$0.contains("secret") && !$0.contains("private.")
            }, "\(texts)")
    }

    @Test("A picture that is not ready is asked for again", arguments: [404, 409, 425, 503])
    func notReady(status: Int) async throws {
        let (requests, photograph) = (Requests(), try fixture.photograph)
        let server = try LoopbackServer({ request in
            requests.add(request)
            return requests.all.count < 3
                ? .answer(status: status, headers: ["Retry-After: 0"])
                : .answer(status: 200, body: photograph)
        })
        let answer = try await answer(PictureRequest(server.url("snapshot")))
        #expect(answer.outcome.kind == .rendition && requests.all.count == 3)
    }

    @Test("A public picture that is missing is asked for once")
    func missing() async throws {
        let requests = Requests()
        let server = try LoopbackServer({ request in
            requests.add(request)
            return .answer(status: 404)
        })
        let answer = try await answer(PictureRequest(server.url("gone"), waitsUntilReady: false))
        #expect(answer.reasons.first?.code.rawValue == "download-refused")
        #expect(requests.all.count == 1)
    }
}

/// Requests that a server received.
final class Requests: Sendable {
    private let requests = Lock<[LoopbackServer.Request]>([])

    var all: [LoopbackServer.Request] { requests.withLock(\.self) }

    func add(_ request: LoopbackServer.Request) { requests.withLock { $0.append(request) } }
}
