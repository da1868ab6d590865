package import Foundation

/// A network of its own in which every address is local, with a resolver whose answers a test chooses
/// (`names.py`).
package final class NamedNetwork: Sendable {
    /// Address of the Internet without any meaning here.
    package static let publicAddress = "93.184.216.34"

    private static let namespaces = ["--user", "--map-root-user", "--mount", "--net"]

    /// True if the kernel and the container permit new namespaces.
    package static let isAvailable: Bool = {
        let attempt = Process()
        attempt.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        attempt.arguments =
            namespaces + [
                "/bin/sh", "-c",
                "ip link set lo up && mount --bind /etc/resolv.conf /etc/resolv.conf",
            ]
        attempt.standardError = FileHandle.nullDevice
        guard (try? attempt.run()) != nil else { return false }
        attempt.waitUntilExit()
        return attempt.terminationStatus == 0
    }()

    private let folder: URL
    private let process: pid_t
    private let input: CInt

    /// Starts one; `names` are the look-ups of each name, as `names.py` describes them.
    package init(_ names: [String: [[String]]]) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(names).write(to: folder.appending(path: "names.json"))
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "names.py")
        let running = Process()
        // It replaces itself by the program, and so keeps its number.
        running.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        running.arguments = Self.namespaces + ["/usr/bin/python3", script.path, folder.path]
        let pipe = Pipe()
        running.standardInput = pipe
        running.standardOutput = try FileHandle(forWritingTo: output)
        try running.run()
        process = running.processIdentifier
        input = dup(pipe.fileHandleForWriting.fileDescriptor)
        for _ in 0..<1000 where lines.first != "ready" { usleep(10_000) }
        guard lines.first == "ready" else { throw CocoaError(.executableLoad) }
    }

    deinit {
        // It ends with its standard input.
        close(input)
        kill(process, SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }

    /// A program that starts another one inside the network, with the same process number.
    package func entrance(to program: URL) throws -> URL {
        let script = folder.appending(path: program.lastPathComponent)
        let command =
            "/usr/bin/nsenter --target \(process) --user --preserve-credentials --mount --net"
        try Data("#!/bin/sh\nexec \(command) '\(program.path)' \"$@\"\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        return script
    }

    /// Addresses to which connections were made, in order.
    package var connections: [String] { words("connection").map { $0[1] } }

    /// Number of look-ups of a name's IPv4 addresses.
    package func lookups(_ name: String) -> Int {
        words("lookup").count { $0[1] == name && $0[2] == "1" }
    }

    private func words(_ first: String) -> [[String]] {
        lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.first == first }
    }

    private var lines: [String] {
        let text = try? String(contentsOf: folder.appending(path: "output"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }
}
