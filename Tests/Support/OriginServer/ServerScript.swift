import Foundation

/// A running Python program of this folder, which writes lines to standard output, and ends with its
/// standard input.
final class ServerScript: Sendable {
    /// Folder of its own, removed with it.
    let folder: URL
    /// Number of the process.
    let process: pid_t
    private let input: CInt

    /// Starts `name` with arguments that `arguments` makes from its folder; `launcher` is a command that
    /// replaces itself by the program that its arguments name, and so keeps the number of the process.
    init(
        _ name: String, launcher: [String] = [], arguments: (_ folder: URL) throws -> [String]
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-origin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: name)
        let command =
            try launcher + ["/usr/bin/python3", script.path] + arguments(folder)
        let running = Process()
        running.executableURL = URL(fileURLWithPath: command[0])
        running.arguments = Array(command.dropFirst())
        let pipe = Pipe()
        running.standardInput = pipe
        running.standardOutput = try FileHandle(forWritingTo: output)
        try running.run()
        process = running.processIdentifier
        input = dup(pipe.fileHandleForWriting.fileDescriptor)
    }

    deinit {
        close(input)
        kill(process, SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Lines written so far; the last one may be incomplete.
    var lines: [String] {
        let text = try? String(contentsOf: folder.appending(path: "output"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// Waits for the first line, at most ten seconds.
    func firstLine() throws -> String {
        for _ in 0..<1000 {
            let text = try String(contentsOf: folder.appending(path: "output"), encoding: .utf8)
            if text.contains("\n"), let first = lines.first { return first }
            usleep(10_000)
        }
        throw CocoaError(.executableLoad)
    }
}
