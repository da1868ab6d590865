import Foundation

/// A folder for one test, removed with its contents afterwards.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// File names in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path) }
    }
}
