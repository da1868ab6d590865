package import Foundation

/// A running `origin.py` on a loopback address.
package final class Origin: Sendable {
    package let port: UInt16
    package let address: String
    private let scheme: String
    private let folder: URL
    private let process: pid_t
    private let input: CInt

    /// Starts one; `keys` are the paths of a certificate and its key.
    package init(on address: String = "127.0.0.1", keys: (certificate: URL, key: URL)? = nil) throws
    {
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
        throw CocoaError(.executableLoad)
    }

    package func url(_ target: String, host: String? = nil) -> String {
        let name = host ?? (address.contains(":") ? "[\(address)]" : address)
        return "\(scheme)://\(name):\(port)\(target)"
    }

    /// Requests so far, one a line: method, target and headers.
    package var requests: [String] {
        let text = try? String(contentsOf: folder.appending(path: "output"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").dropFirst().map(String.init)
    }

    package func count(_ target: String) -> Int {
        requests.count { $0.split(separator: " ")[1] == target }
    }
}
