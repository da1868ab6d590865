import Foundation

/// A real server process on free ports, with a container of its own.
final class TestServer {
    let folder: URL
    let port: Int
    let operationsPort: Int
    let process = Process()

    static let products = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()
    static let package = URL(fileURLWithPath: #filePath).pathComponents.dropLast(6)
        .reduce(URL(fileURLWithPath: "/")) { $0.appending(path: $1) }

    var container: URL { folder.appending(path: "container") }
    private var logFile: URL { folder.appending(path: "log") }

    /// Lines of the log so far.
    var log: [String] {
        ((try? String(contentsOf: logFile, encoding: .utf8)) ?? "")
            .split(separator: "\n").map(String.init)
    }

    /// Starts a server, and ends it after the body.
    static func with<Value>(
        _ arguments: String..., body: (TestServer) throws -> Value
    ) throws -> Value {
        let server = try TestServer(arguments)
        defer { server.end() }
        return try body(server)
    }

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-server-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process.executableURL = Self.products.appending(path: "thimble-server")
        process.arguments =
            [
                "--container", folder.appending(path: "container").path, "--port", "0",
                "--operations-port", "0", "--allow-root", folder.path,
                "--allow-root", Self.package.appending(path: "Images").path,
            ] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let log = folder.appending(path: "log")
        try Data().write(to: log)
        process.standardError = try FileHandle(forWritingTo: log)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var ports: (service: Int, operations: Int)?
        for _ in 0..<400 where ports == nil && process.isRunning {
            Thread.sleep(forTimeInterval: 0.05)
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            ports = Self.ports(in: text)
        }
        guard let ports else {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            process.terminate()
            throw RawConnection.Failure(description: "the server does not start: \(text)")
        }
        (port, operationsPort) = ports
    }

    private static func ports(in log: String) -> (service: Int, operations: Int)? {
        var ports: [String: Int] = [:]
        for line in log.split(separator: "\n") {
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let fields = object as? [String: Any], let port = fields["port"] as? Int,
                let message = fields["message"] as? String
            else { continue }
            ports[message] = port
        }
        guard let service = ports["listening"], let operations = ports["operations listening"]
        else { return nil }
        return (service, operations)
    }

    func end() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits for the end, and returns the exit code or the number of the signal.
    func exitCode(within seconds: Double = 30) -> Int32? {
        let end = Date() + seconds
        while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.02) }
        return process.isRunning ? nil : process.terminationStatus
    }

    func connect(timeout: Int = 20) throws -> RawConnection {
        try RawConnection(port: port, timeout: timeout)
    }

    /// One request on a connection of its own.
    func request(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> Response {
        let connection = try connect()
        try connection.send(method, path, fields, body: body)
        return try connection.response(isHead: method == "HEAD")
    }

    func operations(_ path: String) throws -> Response {
        let connection = try RawConnection(port: operationsPort)
        try connection.send("GET", path)
        return try connection.response()
    }

    /// The value of a metric's series, as in `thimble_payloads_total{outcome="rendition"}`.
    func metric(_ series: String) throws -> Double? {
        let lines = try operations("/metrics").text.split(separator: "\n")
        return lines.first { $0.hasPrefix(series + " ") }
            .flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    /// Waits until a condition holds.
    func eventually(_ seconds: Double = 15, _ holds: () throws -> Bool) rethrows -> Bool {
        let end = Date() + seconds
        while Date() < end {
            if try holds() { return true }
            Thread.sleep(forTimeInterval: 0.03)
        }
        return false
    }
}

extension TestServer {
    static func picture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: package.appending(path: "Images/\(name)")))
    }

    /// A payload that names a sample picture, with bytes of its own for each number.
    static func payload(_ name: String = "still-life-ready.jpg", number: Int = 0) -> String {
        let path = package.appending(path: "Images/\(name)").path
        return #"{"aps":{"alert":"\#(number)"},"attachment-url":"\#(path)"}"#
    }

    /// Worker processes of the server.
    var workers: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { number in
            let path = "/proc/\(number)/stat"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            let fields = text[end...].split(separator: " ")
            return fields.count > 2 && fields[1] != "Z"
                && fields[2] == "\(process.processIdentifier)"
        }
    }

    /// Takes a place for uploads with a body that does not go on, for as long as the result lives.
    func holdUpload(_ fields: String = "") throws -> RawConnection {
        let connection = try connect()
        try connection.send(
            "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n\(fields)"
                + "Content-Length: 10\r\n\r\nabc")
        let hasBegun = try eventually { try metric("thimble_uploads") == 1 }
        guard hasBegun else {
            throw RawConnection.Failure(description: "the upload does not begin")
        }
        return connection
    }

    /// Anonymous memory of the server, in bytes.
    var footprint: Int { memory("RssAnon") }

    /// Peak memory of the server, in bytes, with its programs' files.
    var peak: Int { memory("VmHWM") }

    private func memory(_ field: String) -> Int {
        let path = "/proc/\(process.processIdentifier)/status"
        let line = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("\(field):") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 } ?? 0
    }

    /// Open descriptors of the server.
    var descriptors: Int {
        let folder = "/proc/\(process.processIdentifier)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
    }
}
