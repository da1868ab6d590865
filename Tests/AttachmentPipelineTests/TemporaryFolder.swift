import Foundation
import Testing

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

    /// Passes on a file that `write` has written to a descriptor.
    static func withFile<Value>(
        _ name: String, write: (CInt) throws -> Void, read: (URL) throws -> Value
    ) throws -> Value {
        try with { folder in
            let file = folder.appending(path: name)
            let descriptor = open(file.path, O_RDWR | O_CREAT | O_EXCL, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            try write(descriptor)
            return try read(file)
        }
    }

    private static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
