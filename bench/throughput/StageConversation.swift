import BenchmarkMeasuring
import Foundation

/// A running `thimble stage` that receives payloads one at a time.
struct StageConversation {
    private let process: SpawnedProcess
    private let errors: URL

    init(_ thimble: URL, container: URL, in folder: URL) throws {
        errors = folder.appending(path: "stage.log")
        try Data().write(to: errors)
        process = try SpawnedProcess(
            thimble.path, ["stage", "--container", container.path, "--allow-root", folder.path],
            input: .pipe, errors: FileHandle(forWritingTo: errors).fileDescriptor)
    }

    /// Sends a payload, waits for the answer and returns the time.
    func answer(to payload: String) throws -> Double {
        let start = ContinuousClock.now
        try process.input?.write(contentsOf: Data((payload + "\n").utf8))
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = process.output.availableData
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
        try process.input?.close()
        let code = process.wait()
        guard code == 0 else { throw BenchmarkError("thimble stage exited with \(code)") }
    }
}
