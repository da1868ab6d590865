import Foundation
import Testing

/// An Info.plist that a test writes into a folder of its own, which is gone when the test is over.
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

    /// What a content extension declares, with attributes changed; nil leaves one out.
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

/// Runs on a thread with the smallest stack that code of ours meets, that of a secondary thread on
/// Apple's systems (512 KiB).
func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 512 << 10
        thread.start()
    }
}
