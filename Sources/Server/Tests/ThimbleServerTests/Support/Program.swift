import Foundation

/// A finished run of `thimble-server`.
struct Program {
    let output: String
    let errors: String
    let code: Int32

    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: URL? = nil,
        program: URL? = nil
    ) throws -> Program {
        let process = Process()
        process.executableURL =
            program ?? TestServer.products.appending(path: "thimble-server")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput =
            try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["output", "errors"].map { folder.appending(path: $0) }
        for file in files { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return Program(
            output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8),
            code: process.terminationStatus)
    }
}
