import Foundation

/// A web server on a free port that serves the sample pictures.
final class TestOrigin {
    let port: Int
    private let process = Process()
    private let log: URL

    /// Options of a service that may fetch from it.
    var options: [String] {
        ["--allow-network", "127.0.0.0/8", "--allow-http", "--allow-port", "\(port)"]
    }

    /// Starts an origin, and ends it after the body.
    static func with<Value>(_ body: (TestOrigin) throws -> Value) throws -> Value {
        let origin = try TestOrigin()
        defer { origin.end() }
        return try body(origin)
    }

    private init() throws {
        log = FileManager.default.temporaryDirectory
            .appending(path: "thimble-origin-\(UUID().uuidString)")
        try Data().write(to: log)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory",
            TestServer.package.appending(path: "Images").path,
        ]
        let output = try FileHandle(forWritingTo: log)
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var found: Int?
        for _ in 0..<200 where found == nil {
            Thread.sleep(forTimeInterval: 0.05)
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            // "Serving HTTP on 127.0.0.1 port 41234 (http://…"
            found = text.split(separator: " ").drop { $0 != "port" }.dropFirst().first
                .flatMap { Int($0) }
        }
        guard let found else {
            kill(process.processIdentifier, SIGKILL)
            throw RawConnection.Failure(description: "the origin does not start")
        }
        port = found
    }

    func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

    /// Requests that it answered for a name.
    func requests(for name: String) -> Int {
        ((try? String(contentsOf: log, encoding: .utf8)) ?? "")
            .split(separator: "\n").count { $0.contains("\"GET /\(name)") }
    }

    private func end() {
        // The child may have inherited a signal mask that blocks others.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: log)
    }
}
