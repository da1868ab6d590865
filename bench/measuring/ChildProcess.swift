import Foundation

/// A command line to be run as a child process.
package struct ChildProcess: Sendable {
    /// The path of the program, or its name when it is on the search path.
    package let program: String
    /// What follows the program's name.
    package var arguments: [String]
    /// Variables set beside those inherited.
    package var variables: [String: String] = [:]

    /// Makes a command line.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or its name when it is on the search path.
    ///   - arguments: What follows the program's name.
    package init(_ program: String, _ arguments: String...) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the command to its end.
    ///
    /// - Returns: What it wrote on standard output and standard error.
    /// - Throws: `BenchmarkError` when it cannot be run or fails, with what it wrote.
    @discardableResult
    package func run() throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = try executable()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchmarkError("\(program) failed (\(process.terminationStatus)): \(text)")
        }
        return text
    }

    /// The file to run: the program itself, or the first of its name on the search path.
    private func executable() throws -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let candidates =
            program.contains("/")
            ? [program] : path.split(separator: ":").map { "\($0)/\(program)" }
        guard let found = candidates.first(where: FileManager.default.isExecutableFile) else {
            throw BenchmarkError(
                "no \(program): apt-get install libvips-tools libjpeg-turbo-progs gifsicle")
        }
        return URL(fileURLWithPath: found)
    }
}

/// Why the benchmark could not go on.
package struct BenchmarkError: Error, CustomStringConvertible {
    /// The reason and, where there is one, the remedy.
    package let description: String

    /// Makes an error.
    ///
    /// - Parameter description: The reason and, where there is one, the remedy.
    package init(_ description: String) { self.description = description }
}
