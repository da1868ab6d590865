import Foundation
import Testing

/// A running `origin.py` on a loopback address.
final class Origin: Sendable {
    let port: UInt16
    let address: String
    private let scheme: String
    private let folder: URL
    private let process: pid_t
    private let input: CInt

    /// Starts one; `keys` are the paths of a certificate and its key.
    init(on address: String = "127.0.0.1", keys: (certificate: URL, key: URL)? = nil) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "origin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "origin.py")
        let running = Process()
        running.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let tls = keys.map { ["--tls", $0.certificate.path, $0.key.path] } ?? []
        running.arguments = [script.path] + tls + [address]
        let pipe = Pipe()
        running.standardInput = pipe
        running.standardOutput = try FileHandle(forWritingTo: output)
        try running.run()
        process = running.processIdentifier
        input = dup(pipe.fileHandleForWriting.fileDescriptor)
        self.address = address
        scheme = keys == nil ? "http" : "https"
        port = try Self.port(in: output)
    }

    deinit {
        // It ends with its standard input.
        close(input)
        kill(process, SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func port(in output: URL) throws -> UInt16 {
        for _ in 0..<1000 {
            let text = try String(contentsOf: output, encoding: .utf8)
            if text.contains("\n"),
                let port = text.split(separator: "\n").first.flatMap({ UInt16($0) })
            {
                return port
            }
            usleep(10_000)
        }
        Issue.record("origin.py does not start")
        return 1
    }

    func url(_ target: String, host: String? = nil) -> String {
        let name = host ?? (address.contains(":") ? "[\(address)]" : address)
        return "\(scheme)://\(name):\(port)\(target)"
    }

    /// Requests so far, one a line: method, target and headers.
    var requests: [String] {
        let text = try? String(contentsOf: folder.appending(path: "output"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").dropFirst().map(String.init)
    }

    func count(_ target: String) -> Int { requests.count { $0.split(separator: " ")[1] == target } }
}

/// A listener that counts connections without accepting them.
final class CountingListener: Sendable {
    private let socket: CInt

    /// Nil if the address or the port is not available.
    init?(on address: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let info = found?.pointee else {
            return nil
        }
        defer { freeaddrinfo(found) }
        socket = Foundation.socket(info.ai_family, info.ai_socktype, 0)
        var one: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        guard bind(socket, info.ai_addr, info.ai_addrlen) == 0, listen(socket, 64) == 0 else {
            close(socket)
            return nil
        }
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }

    deinit { close(socket) }

    /// Connections since the last call.
    var connections: Int {
        var count = 0
        while case let connection = accept(socket, nil, nil), connection >= 0 {
            close(connection)
            count += 1
        }
        return count
    }
}
