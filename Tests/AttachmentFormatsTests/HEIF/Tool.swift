import Foundation
import Testing

/// A command-line tool of the system.
enum Tool {
    static func run(_ arguments: String...) throws {
        try run(arguments)
    }

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

/// A folder that is removed with the last reference.
final class TemporaryFolder {
    let path = NSTemporaryDirectory() + "thimble-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
