import Foundation
import Testing

/// The examples of clients in five languages.
@Suite("Clients", .serialized, .timeLimit(.minutes(3)))
struct ClientTests {
    struct Language: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let command: [String]

        static let all = [
            Language("Python", "python3", "stage.py"), Language("Node", "node", "stage.mjs"),
            Language("Go", "go", "run", "stage.go"), Language("Java", "java", "Stage.java"),
            Language("PHP", "php", "stage.php"),
        ]

        private init(_ name: String, _ command: String...) {
            testDescription = name
            self.command = command
        }

        /// Languages that this machine has; Java needs its compiler too.
        static let installed = all.filter { language in
            let program = language.command[0] == "java" ? "javac" : language.command[0]
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            return folders.contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }

        /// The program's output for a payload, within the time that its deadline allows.
        func stage(_ payload: String, port: Int, token: String? = nil) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.currentDirectoryURL = TestServer.package.appending(
                path: "Examples/Server/Clients")
            var environment = ProcessInfo.processInfo.environment
            environment["THIMBLE_URL"] = "http://127.0.0.1:\(port)"
            environment["THIMBLE_DEADLINE"] = "2"
            environment["THIMBLE_TOKEN"] = token
            environment["GOCACHE"] =
                FileManager.default.temporaryDirectory
                .appending(path: "thimble-go-cache").path
            process.environment = environment
            let (input, output) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput) = (input, output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            input.fileHandleForWriting.write(Data(payload.utf8))
            try input.fileHandleForWriting.close()
            let text = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return String(decoding: text, as: UTF8.self)
        }
    }

    private func object(_ text: String) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }

    @Test("A payload is staged, with a token too", arguments: Language.installed)
    func staged(_ language: Language) throws {
        let token = "0123456789abcdef0123456789abcdef"
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(token.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let payload = TestServer.payload()
        try TestServer.with { server throws in
            let staged = try object(language.stage(payload, port: server.port))
            #expect(staged["thimble"] != nil)
        }
        try TestServer.with("--tokens", file.path) { server throws in
            #expect(
                try object(language.stage(payload, port: server.port, token: token))["thimble"]
                    != nil)
            // Without the token the payload passes on as it is.
            #expect(try object(language.stage(payload, port: server.port)) == object(payload))
        }
    }

    private static let own = "Thimble-Outcome: rendition\r\n"

    @Test(
        "Whatever goes wrong, the payload passes on as it is, and in time",
        arguments: Language.installed,
        [
            "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n<html>hi</html>",
            "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
            "HTTP/1.1 200 OK\r\n\(own)Content-Length: 6\r\n\r\n{\"a\":1",
            "HTTP/1.1 200 OK\r\n\(own)Content-Length: 900\r\n\r\n{\"a\":1}",
            "HTTP/1.1 200 OK\r\n\(own)Content-Length: 4\r\n\r\nnull",
            "HTTP/1.1 429 Too Many Requests\r\n\(own)Content-Length: 2\r\n\r\n{}",
            "HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n", "NONSENSE", "",
            "slow HTTP/1.1 200 OK\r\n\(own)Content-Length: 60\r\n\r\n{                                       }",
        ])
    func passedOn(_ language: Language, answer: String) throws {
        let isSlow = answer.hasPrefix("slow ")
        let server = try CannedServer(isSlow ? String(answer.dropFirst(5)) : answer, isSlow: isSlow)
        defer { server.stop() }
        let payload = #"{"aps":{"alert":"ä"},"attachment-url":"https://a.example/b.jpg"}"#
        let start = ContinuousClock.now
        #expect(try object(language.stage(payload, port: server.port)) == object(payload))
        // Two seconds, one more to wait, and the start of the language.
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test(
        "Without a service, or with one that never answers, the payload passes on",
        arguments: Language.installed)
    func unreachable(_ language: Language) throws {
        let payload = #"{"aps":{"alert":"a"}}"#
        let listener = try Listener()
        #expect(try object(language.stage(payload, port: listener.port)) == object(payload))
        listener.close()
        #expect(try object(language.stage(payload, port: listener.port)) == object(payload))
    }
}
