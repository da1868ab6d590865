import Foundation

/// A folder that is gone when the test is over.
enum TemporaryFolder {
    /// Makes a folder, hands it over and removes it with all that is in it.
    ///
    /// - Parameter body: Gets the folder.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws.
    static func with<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = try make()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Makes a folder, hands it over and removes it with all that is in it.
    ///
    /// - Parameter body: Gets the folder.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws.
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
