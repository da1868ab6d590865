import Foundation
import NotificationCheck
import Testing

@Suite("Pictures that sources find", .timeLimit(.minutes(1)))
struct SourcePictureTests {
    /// The codes for a payload that names no picture.
    private func codes(_ source: (file: String, text: String)?) async throws
        -> [CheckReport.Code]
    {
        let project = try SampleProject()
        project.setPayload("thimble.media", to: nil)
        project.input.container = nil
        if let source {
            project.input.sources = [project.path("Sources")]
            let folder = URL(fileURLWithPath: project.path("Sources"))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(source.text.utf8).write(to: folder.appending(path: source.file))
        }
        return try await project.check().findings.map(\.code)
    }

    @Test("A service extension that finds pictures by code needs none in the payload")
    func found() async throws {
        for source in [
            (
                "A.swift",
                "override func picture(of content: UNNotificationContent) -> PictureSource? {}"
            ),
            (
                "A.swift",
                "override open nonisolated func picture(of content: C) async throws -> S? { nil }"
            ),
            (
                "A.m",
                "pictures.pictureHandler = ^(UNNotificationContent *content, void (^f)(S *)) {};"
            ),
        ] {
            #expect(try await codes(source) == [], "\(source)")
        }
    }

    @Test("Other sources leave the warning")
    func missing() async throws {
        #expect(try await codes(nil) == [.missingMediaKey])
        for source in [
            ("A.swift", "func picture(of content: Content) -> Picture? { nil }"),
            ("A.swift", "override func picture(named name: String) -> Picture? { nil }"),
            ("A.swift", "// override func picture(of content: UNNotificationContent)"),
            ("A.m", "- (void)pictureHandler:(id)handler;"),
        ] {
            #expect(try await codes(source) == [.missingMediaKey], "\(source)")
        }
    }
}
