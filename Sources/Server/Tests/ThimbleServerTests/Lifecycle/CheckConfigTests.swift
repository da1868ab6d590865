import Foundation
import Testing

@Suite("thimble-server check-config", .serialized, .timeLimit(.minutes(1)))
struct CheckConfigTests {
    private func with(_ json: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(json.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    private static func words(_ option: String, _ output: String) -> [Substring] {
        output.split(separator: "\n").map { $0.split(separator: " ") }
            .first { $0.first == option[...] } ?? []
    }

    @Test("Flags come before the environment, that before the file, that before defaults")
    func precedence() throws {
        try with(#"{"max-queue":1,"port":81,"grace":"7","container":"/c","cap":"12MiB"}"#) {
            file throws in
            let result = try Program.run(
                ["check-config", "--max-queue", "3", "--config", file],
                environment: ["THIMBLE_SERVER_MAX_QUEUE": "2", "THIMBLE_SERVER_PORT": "82"])
            #expect(result.code == 0)
            let line = { (name: String) in
                Self.words(name, result.output).dropFirst().joined(separator: " ")
            }
            #expect(line("max-queue") == "3 flag --max-queue")
            #expect(line("port") == "82 environment THIMBLE_SERVER_PORT")
            #expect(line("grace") == "7 file \(file)")
            #expect(line("cap") == "12MiB file \(file)")
            #expect(line("deadline") == "25 default")
        }
    }

    @Test("Errors name field, value, range and origin")
    func errors() throws {
        func errors(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
            let result = try Program.run(
                ["check-config", "--container", "/c"] + arguments, environment: environment)
            #expect(result.code == 78)
            return result.errors
        }
        #expect(
            try errors(["--max-queue", "0"])
                == "error: max-queue must be from 1 to 100000, not \"0\" (flag --max-queue)\n")
        #expect(
            try errors([], ["THIMBLE_SERVER_GRACE": "soon"]).contains(
                "grace must be from 0.5 to 3600 seconds, not \"soon\" (environment THIMBLE_SERVER_GRACE)"
            ))
        #expect(
            try errors([], ["THIMBLE_SERVER_MAX_QUEU": "1"]).contains("THIMBLE_SERVER_MAX_QUEU"))
        #expect(try errors(["--max-deadline", "1"]).contains("at least the deadline"))
        #expect(try errors(["--enforce", "hope"]).contains("one of auto, cgroup, rlimit, monitor"))
        #expect(
            try errors(["--config", "/nonexistent"]).contains("config must be a readable file"))
        #expect(try errors(["--tokens", "/nonexistent"]).contains("cannot be read"))
        try with(#"{"prot":1,"port":true,"host":"x"}"#) { file throws in
            let text = try errors(["--config", file])
            #expect(text.contains("prot must be the name of an option"))
            #expect(text.contains("port must be text, a number or a list"))
        }
        try with("[1]") { file throws in
            #expect(try errors(["--config", file]).contains("one JSON object"))
        }
    }

    @Test("The service refuses what check-config refuses, and a container is needed")
    func serve() throws {
        let result = try Program.run(["--max-queue", "x"])
        #expect(result.code == 78 && result.errors.contains("max-queue"))
        let missing = try Program.run([])
        #expect(missing.code == 78 && missing.errors.contains("container must be"))
        let unknown = try Program.run(["--nonsense"])
        #expect(unknown.code == 64)
    }

    @Test("Tokens are counted and not printed")
    func secrets() throws {
        let token = "0123456789abcdef0123456789abcdef"
        try with(token) { file throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let result = try Program.run(
                ["check-config", "--container", "/c", "--tokens", file])
            #expect(result.code == 0)
            #expect(result.output.contains("tokens: 1 in the file"))
            #expect(!result.output.contains(token))
        }
    }
}
