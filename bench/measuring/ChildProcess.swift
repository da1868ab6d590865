import Foundation

/// A command line for a child process.
package struct ChildProcess: Sendable {
    /// Path of the program, or its name on the search path.
    package let program: String
    package var arguments: [String]
    /// Added to the inherited variables.
    package var variables: [String: String] = [:]

    package init(_ program: String, _ arguments: String...) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the command and returns its output.
    @discardableResult
    package func run() throws -> String {
        let process = try SpawnedProcess(executable(), arguments, variables: variables)
        let text = String(decoding: try process.output.readToEnd() ?? Data(), as: UTF8.self)
        let code = process.wait()
        guard code == 0 else { throw BenchmarkError("\(program) failed (\(code)): \(text)") }
        return text
    }

    /// The program's path, searched on the search path if necessary.
    private func executable() throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let candidates =
            program.contains("/")
            ? [program] : path.split(separator: ":").map { "\($0)/\(program)" }
        guard let found = candidates.first(where: FileManager.default.isExecutableFile) else {
            throw BenchmarkError(
                "no \(program): apt-get install libvips-tools libjpeg-turbo-progs gifsicle")
        }
        return found
    }
}

/// Reasons for a benchmark that cannot continue.
package struct BenchmarkError: Error, CustomStringConvertible {
    /// The cause, with a remedy if there is one.
    package let description: String

    package init(_ description: String) { self.description = description }
}
