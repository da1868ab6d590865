import Foundation
import Testing

/// The result of running a command.
struct Command {
    let output: String
    let errors: String
    /// Exit code, or the number of the signal.
    let code: Int32

    /// Folder of the built products, which is the test runner's folder.
    static let products = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()

    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs `thimble` and waits.
    static func thimble(_ arguments: String..., in folder: URL) throws -> Command {
        try run(products.appending(path: "thimble"), arguments, in: folder)
    }

    /// Runs a shell command and waits.
    ///
    /// The built products come first on the path.
    static func shell(_ line: String, in folder: URL) throws -> Command {
        try run(URL(fileURLWithPath: "/bin/bash"), ["-c", line], in: folder)
    }

    private static func run(_ program: URL, _ arguments: [String], in folder: URL) throws -> Command
    {
        let process = start(program, arguments, in: folder)
        let logs = (folder.appending(path: ".output"), folder.appending(path: ".errors"))
        defer { [logs.0, logs.1].forEach { try? FileManager.default.removeItem(at: $0) } }
        try Data().write(to: logs.0)
        try Data().write(to: logs.1)
        process.standardOutput = try FileHandle(forWritingTo: logs.0)
        process.standardError = try FileHandle(forWritingTo: logs.1)
        try process.run()
        process.waitUntilExit()
        return Command(
            output: try String(contentsOf: logs.0, encoding: .utf8),
            errors: try String(contentsOf: logs.1, encoding: .utf8),
            code: process.terminationStatus)
    }

    /// Creates a process without starting it.
    static func start(_ program: URL, _ arguments: [String], in folder: URL) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = products.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        process.environment = environment
        return process
    }
}

/// A temporary working folder.
enum WorkingFolder {
    /// Creates a folder with links to the sample pictures, examples and benchmarks, and removes it
    /// afterwards.
    static func with<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["Images", "Examples", "bench"] {
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: name),
                withDestinationURL: Command.package.appending(path: name))
        }
        return try body(folder)
    }
}
