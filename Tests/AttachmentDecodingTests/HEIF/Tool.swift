import Foundation
import Testing

/// A command-line tool of the system.
enum Tool {
    /// Runs a tool to its end.
    static func run(_ arguments: String...) throws {
        try run(arguments)
    }

    /// Runs a tool to its end.
    static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(arguments)")
    }
}

/// A folder that goes with the value's last reference.
final class TemporaryFolder {
    let path = NSTemporaryDirectory() + "thimble-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
