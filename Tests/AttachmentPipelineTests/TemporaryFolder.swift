import Foundation

/// A folder for one test, removed with its contents afterwards.
enum TemporaryFolder {
    static func with<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = try make()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    static func with<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = try make()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
