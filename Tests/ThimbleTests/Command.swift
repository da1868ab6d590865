import Foundation
import Testing

/// A run of the built command.
struct Command {
    /// What it wrote to standard output.
    let output: String
    /// What it wrote to standard error.
    let errors: String
    /// Its exit code, or the number of the signal that ended it.
    let code: Int32

    /// The folder of the built products: the one of the test runner itself.
    static let products = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// The package's folder.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs `thimble` to its end.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - folder: The working folder.
    /// - Returns: What came of it.
    /// - Throws: When the program cannot be started.
    static func thimble(_ arguments: String..., in folder: URL) throws -> Command {
        try run(products.appending(path: "thimble"), arguments, in: folder)
    }

    /// Runs a shell command to its end, with the built products first on the path.
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

    /// A process that is set up and not started.
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

/// A working folder that is gone when the test is over.
enum WorkingFolder {
    /// Makes a folder with links to the sample pictures, examples and benchmarks, hands it over and
    /// removes it.
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
