import Foundation

/// Runs the Python scripts in this folder.
package enum Script {
    private struct Failure: Error {
        let name: String
    }

    /// Runs a script and returns its standard output.
    package static func output(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        process.arguments = [script.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(name: name) }
        return String(decoding: data, as: UTF8.self)
    }
}
