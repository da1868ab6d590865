import AttachmentService
import Foundation
import Testing

@Suite("Other sites", .serialized, .timeLimit(.minutes(1)))
struct SiteGuardTests {
    private static let json = ["Content-Type": "application/json"]

    private func status(
        _ server: TestServer, _ method: String = "GET", _ path: String = "/openapi.json",
        hosts: [String], version: String = "1.1", _ fields: [String] = []
    ) throws -> Int {
        let connection = try server.connect()
        let lines =
            hosts.map { "Host: \($0)" } + fields + (method == "POST" ? ["Content-Length: 0"] : [])
        try connection.send(
            "\(method) \(path) HTTP/\(version)\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n")
        return try connection.response().status
    }

    @Test("Without tokens, names that are not the service's are refused on every path")
    func names() throws {
        try TestServer.with(
            "--server-name", "thimble.example", "--publish", "/tmp", "--publish-url",
            "https://push.example/pictures"
        ) { server throws in
            for host in [
                "localhost", "LOCALHOST:80", "127.0.0.1:\(server.port)", "[::1]", "thimble.example",
                "push.example",
            ] {
                #expect(try status(server, hosts: [host]) == 200, "\(host)")
            }
            let paths = [
                ("GET", "/openapi.json"), ("GET", "/v1/attachments/x"), ("GET", "/nothing"),
                ("POST", "/v1/stage"), ("POST", "/v1/attachments"), ("POST", "/v1/inspect"),
                ("GET", "/v1/renditions/aa/\(String(repeating: "a", count: 64)).jpg"),
            ]
            for (method, path) in paths {
                for host in [
                    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "x",
                ] {
                    #expect(
                        try status(server, method, path, hosts: [host]) == 421, "\(path) \(host)")
                }
            }
        }
    }

    @Test("Without tokens, requests that browsers make for other sites are refused; links are not")
    func origins() throws {
        try TestServer.with { server throws in
            let host = "127.0.0.1:\(server.port)"
            for fields in [
                ["Origin: http://evil.example"], ["Origin: null"], ["Sec-Fetch-Site: cross-site"],
                ["Sec-Fetch-Site: same-site"],
                [
                    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                    "Sec-Fetch-Dest: iframe",
                ],
            ] {
                for (method, path) in [("GET", "/openapi.json"), ("POST", "/v1/stage")] {
                    #expect(
                        try status(server, method, path, hosts: [host], fields) == 403, "\(fields)")
                }
            }
            for fields in [
                ["Origin: http://\(host)"], ["Sec-Fetch-Site: same-origin"],
                ["Sec-Fetch-Site: none"],
                [
                    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                    "Sec-Fetch-Dest: document",
                ],
            ] {
                #expect(try status(server, hosts: [host], fields) == 200, "\(fields)")
            }
        }
    }

    @Test("A request has one Host; only HTTP/1.0 may have none")
    func hosts() throws {
        try TestServer.with { server throws in
            #expect(try status(server, hosts: []) == 400)
            #expect(try status(server, hosts: ["localhost", "localhost"]) == 400)
            #expect(try status(server, hosts: [], version: "1.0") == 200)
            #expect(try status(server, hosts: ["localhost", "x"], version: "1.0") == 400)
        }
    }

    @Test("try serves its page under a secret address, and nothing else")
    func trial() throws {
        let server = Process()
        server.executableURL = TestServer.products.appending(path: "thimble-server")
        server.arguments = ["try", "--no-open"]
        let output = Pipe()
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        var line = ""
        while !line.contains("\n") {
            let bytes = output.fileHandleForReading.availableData
            try #require(!bytes.isEmpty)
            line += String(decoding: bytes, as: UTF8.self)
        }
        let match = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\/([^\/]+)\//))
        let (port, secret) = (try #require(Int(match.1)), match.2)
        func status(_ method: String, _ path: String) throws -> Int {
            let connection = try RawConnection(port: port)
            try connection.send(method, path, body: method == "POST" ? [] : nil)
            return try connection.response().status
        }
        for path in ["", "page/main.js", "page/limits"] {
            #expect(try status("GET", "/\(secret)/\(path)") == 200)
            #expect(try status("GET", "/\(path)") == 404)
            #expect(try status("GET", "/\(secret)a/\(path)") == 404)
        }
        #expect(try status("GET", "/openapi.json") == 404)
        for path in ["v1/stage", "v1/attachments", "v1/inspect", "page/trials"] {
            let status = try status("POST", "/\(path)")
            #expect([404, 405].contains(status), "\(path)")
        }
        #expect(try status("POST", "/wrong/page/trials") == 404)
    }
}
