import AttachmentService
import Foundation
import Testing

@Suite("Bearer tokens", .serialized, .timeLimit(.minutes(1)))
struct AuthenticationTests {
    private static let first = "0123456789abcdef0123456789abcdef"
    private static let second = "fedcba9876543210fedcba9876543210"

    private func file(_ text: String, mode: Int = 0o600) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: url.path)
        return url
    }

    @Test("Requests need a token, except those of phones")
    func required() throws {
        let tokens = try file("# staging\n\(Self.first)\n")
        defer { try? FileManager.default.removeItem(at: tokens) }
        try TestServer.with("--tokens", tokens.path) { server throws in
            let body = Array(TestServer.payload().utf8)
            func stage(_ authorisation: String?) throws -> Response {
                var fields = ["Content-Type": "application/json"]
                fields["Authorization"] = authorisation
                return try server.request("POST", "/v1/stage", fields, body: body)
            }
            for wrong in [nil, "Bearer", "Bearer x", "Basic \(Self.first)", "Bearer # staging"] {
                let answer = try stage(wrong)
                #expect(answer.status == 401 && answer.problem == "unauthorised")
                #expect(answer.fields["www-authenticate"]?.hasPrefix("Bearer") == true)
            }
            let answer = try stage("bearer \(Self.first)")
            #expect(answer.status == 200)
            let note = try #require(answer.json["thimble"] as? [String: Any])
            let path = "/v1/renditions/\(try #require(note["rendition"] as? String))"
            #expect(try server.request("GET", path).status == 200)
            #expect(try server.request("GET", "/v1/attachments/x").status == 401)
            let document = try server.request("GET", "/openapi.json").json
            #expect(document["security"] as? [[String: [String]]] == [["bearer": []]])

            try Data("\(Self.second)\n".utf8).write(to: tokens)
            kill(server.process.processIdentifier, SIGHUP)
            #expect(try server.eventually { try stage("Bearer \(Self.second)").status == 200 })
            #expect(try stage("Bearer \(Self.first)").status == 401)

            try Data("short\n".utf8).write(to: tokens)
            kill(server.process.processIdentifier, SIGHUP)
            #expect(server.eventually { server.log.contains { $0.contains("tokens unchanged") } })
            #expect(try stage("Bearer \(Self.second)").status == 200)
            let log = server.log.joined()
            #expect(!log.contains(Self.first) && !log.contains(Self.second))
        }
    }

    @Test("Files that others may read or change, empty ones and short tokens are refused")
    func files() throws {
        for (text, mode, reason) in [
            (Self.first, 0o644, "mode 644"), (Self.first, 0o660, "mode 660"),
            ("# nothing\n\n", 0o600, "no token"), ("short", 0o600, "line 1"),
        ] {
            let url = try file(text, mode: mode)
            defer { try? FileManager.default.removeItem(at: url) }
            let error = #expect(throws: BearerTokens.Failure.self) {
                _ = try BearerTokens(path: url.path)
            }
            #expect(error?.description.contains(reason) == true)
        }
        let group = try file(Self.first, mode: 0o640)
        defer { try? FileManager.default.removeItem(at: group) }
        #expect(try BearerTokens(path: group.path).count == 1)
        #expect(throws: BearerTokens.Failure.self) { try BearerTokens(path: "/nonexistent") }
    }
}
