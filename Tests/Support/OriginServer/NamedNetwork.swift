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

    private let script: ServerScript

    /// Starts one; `names` are the look-ups of each name, as `names.py` describes them.
    package init(_ names: [String: [[String]]]) throws {
        script = try ServerScript("names.py", launcher: ["/usr/bin/unshare"] + Self.namespaces) {
            folder in
            try JSONEncoder().encode(names).write(to: folder.appending(path: "names.json"))
            return [folder.path]
        }
        guard try script.firstLine() == "ready" else { throw CocoaError(.executableLoad) }
    }

    /// A program that starts another one inside the network, with the same process number.
    package func entrance(to program: URL) throws -> URL {
        let file = script.folder.appending(path: program.lastPathComponent)
        let command =
            "/usr/bin/nsenter --target \(script.process) --user --preserve-credentials --mount --net"
        try Data("#!/bin/sh\nexec \(command) '\(program.path)' \"$@\"\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file
    }

    /// Addresses to which connections were made, in order.
    package var connections: [String] { words("connection").map { $0[1] } }

    /// Number of look-ups of a name's IPv4 addresses.
    package func lookups(_ name: String) -> Int {
        words("lookup").count { $0[1] == name && $0[2] == "1" }
    }

    private func words(_ first: String) -> [[String]] {
        script.lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.first == first }
    }
}
