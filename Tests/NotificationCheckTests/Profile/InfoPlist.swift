import Foundation
import Testing

/// An Info.plist in a temporary folder, which is removed after the test.
final class InfoPlist {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.path + "/" + name }

    /// Writes a file and returns its path.
    func write(_ bytes: some DataProtocol, to name: String = "Info.plist") throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// A content extension's declarations with changed attributes; nil removes one.
    static func declaration(
        _ changes: [String: Any?] = [:], extension extensionChanges: [String: Any?] = [:]
    ) -> [String: Any] {
        var attributes: [String: Any] = [
            "UNNotificationExtensionCategory": "photo",
            "UNNotificationExtensionInitialContentSizeRatio": 0.75,
        ]
        for (key, value) in changes { attributes[key] = value }
        var content: [String: Any] = [
            "NSExtensionAttributes": attributes,
            "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
            "NSExtensionMainStoryboard": "MainInterface",
        ]
        for (key, value) in extensionChanges { content[key] = value }
        return ["CFBundleIdentifier": "org.example.app.photo", "NSExtension": content]
    }

    static func data(
        _ declaration: [String: Any], as format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> Data {
        try PropertyListSerialization.data(
            fromPropertyList: declaration, format: format, options: 0)
    }
}

/// Runs on the smallest supported stack: 512 KiB, as for secondary threads on Apple's systems.
func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 512 << 10
        thread.start()
    }
}
