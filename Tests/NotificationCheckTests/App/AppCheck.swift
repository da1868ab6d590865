import Foundation
import NotificationCheck
import SampleApps

/// A check of a sample app with a payload.
enum AppCheck {
    static let payload = """
        {"aps":{"alert":{"title":"Salmon"},"category":"\(SampleApp.category)","mutable-content":1},
        "thimble":{"id":"daily-42","media":"https://example.org/photo.jpg"}}
        """.replacing("\n", with: "")

    /// Writes the app as a package, and checks it.
    static func run(
        _ app: SampleApp, as package: SampleApp.Package = .app,
        _ change: (inout CheckInput) throws -> Void = { _ in }
    ) async throws -> CheckReport {
        try await run(at: app.write(as: package), in: app.folder, change)
    }

    /// Checks the app at a path.
    static func run(
        at path: String, in folder: URL, _ change: (inout CheckInput) throws -> Void = { _ in }
    ) async throws -> CheckReport {
        let file = folder.appending(path: "payload.json")
        try Data(payload.utf8).write(to: file)
        var input = CheckInput()
        input.app = path
        input.payloads = [.file(file.path)]
        input.hasControls = true
        try change(&input)
        return try await ProjectCheck(input).run(inspecting: SampleProject.inspect)
    }
}
