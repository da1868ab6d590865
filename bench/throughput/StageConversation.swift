import BenchmarkMeasuring
import Foundation

/// A running `thimble stage` that receives payloads one at a time.
final class StageConversation {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors: URL

    init(_ thimble: URL, container: URL, in folder: URL) throws {
        errors = folder.appending(path: "stage.log")
        try Data().write(to: errors)
        process.executableURL = thimble
        process.arguments = ["stage", "--container", container.path, "--allow-root", folder.path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    /// Sends a payload, waits for the answer and returns the time.
    func answer(to payload: String) throws -> Double {
        let start = ContinuousClock.now
        try input.fileHandleForWriting.write(contentsOf: Data((payload + "\n").utf8))
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            line += part
        }
        let time = start.duration(to: .now) / .milliseconds(1)
        let answer = String(decoding: line, as: UTF8.self)
        guard answer.contains(#""outcome":"rendition""#) else {
            let log = try String(contentsOf: errors, encoding: .utf8)
            throw BenchmarkError("thimble stage gave no rendition: \(answer)\(log)")
        }
        return time
    }

    /// Closes the input and waits for the process.
    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("thimble stage exited with \(process.terminationStatus)")
        }
    }
}
