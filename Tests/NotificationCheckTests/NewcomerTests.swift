import Foundation
import NotificationCheck
import Testing

/// The files of the tutorial "Showing the picture", checked against each other.
@Suite("From nothing to a picture", .timeLimit(.minutes(1)))
struct NewcomerTests {
    /// Listings of the tutorial, by language.
    private static let listings: [String: [String]] = {
        let page = URL(fileURLWithPath: #filePath)
            .appending(path: "../../../Examples/Documentation/Thimble.docc/ShowingThePicture.md")
            .standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        // Text and listings alternate; a listing begins with its language.
        let blocks = text.components(separatedBy: "\n```").enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }
            .map { $0.element.split(separator: "\n", maxSplits: 1).map(String.init) }
        return Dictionary(grouping: blocks.filter { $0.count == 2 }) { $0[0] }
            .mapValues { $0.map { $0[1] } }
    }()

    /// The property list of the content extension.
    ///
    /// The others are entitlements and the property list of the service extension.
    private static func isContentProfile(_ listing: String) -> Bool {
        listing.contains("com.apple.usernotifications.content-extension")
    }

    /// Checks the listings of the tutorial, after changes by language.
    private func check(_ changes: [String: (String) -> String] = [:]) async throws -> CheckReport {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Sources"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func listings(_ language: String) throws -> [String] {
            try #require(Self.listings[language]).map { changes[language]?($0) ?? $0 }
        }
        func write(_ text: String, _ name: String) throws -> String {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            return file.path
        }
        var input = CheckInput()
        let payload = try #require(try listings("json").first)
        input.payloads = [.file(try write(payload, "payload.json"))]
        let profile = try #require(try listings("xml").first(where: Self.isContentProfile))
        input.contentInfoPlists = [try write(profile, "Info.plist")]
        for (number, source) in try listings("swift").enumerated() {
            _ = try write(source, "Sources/\(number).swift")
        }
        input.sources = [folder.appending(path: "Sources").path]
        return try await ProjectCheck(input).run(inspecting: SampleProject.inspect)
    }

    @Test("Payload, Info.plist and sources fit together, and both extensions name one App Group")
    func complete() async throws {
        let report = try await check()
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        #expect(report.payloads == 1)
        let counts = Self.listings.mapValues(\.count)
        #expect(counts == ["swift": 3, "xml": 4, "json": 1, "sh": 1, "text": 1])
        let groups = try #require(Self.listings["swift"]).flatMap {
            $0.matches(of: /appGroup: String { "([^"]+)" }/).map { String($0.1) }
        }
        #expect(groups.count == 2 && Set(groups).count == 1)
        #expect(groups.first?.hasPrefix("group.") == true)
    }

    @Test("A letter that differs in one of them is found", arguments: ["json", "xml", "swift"])
    func different(language: String) async throws {
        let report = try await check([
            language: {
                $0.replacing("daily-pick\"", with: "daily-Pick\"")
                    .replacing(">daily-pick<", with: ">daily-Pick<")
            }
        ])
        #expect(!report.findings.isEmpty)
        #expect(report.exitCode == 3)
        #expect(report.lines().contains { $0.contains("only in upper and lower case") })
    }
}
