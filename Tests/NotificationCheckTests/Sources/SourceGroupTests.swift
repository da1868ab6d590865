import Foundation
import NotificationCheck
import Testing

@Suite("App Groups in sources", .timeLimit(.minutes(1)))
struct SourceGroupTests {
    /// Checks sources against the entitlements of a project.
    private func check(
        _ sources: [String: String], _ change: (SampleProject) -> Void = { _ in }
    ) async throws -> CheckReport {
        let project = try SampleProject()
        project.input.sources = [project.path("Sources")]
        let folder = URL(fileURLWithPath: project.path("Sources"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in sources {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        change(project)
        return try await project.check()
    }

    /// Ways to name a group, which stands for GROUP.
    private static let uses = [
        ("A.swift", "class A: B { override var appGroup: String { \"GROUP\" } }"),
        ("A.swift", "class A: B { override open var appGroup: String { return \"GROUP\" } }"),
        (
            "A.swift",
            "enum Names { static let group = \"GROUP\" }\n"
                + "class A: B { override var appGroup: String { Names.group } }"
        ),
        (
            "A.swift",
            "class A: B { private static let own = \"GROUP\"\n"
                + "override var appGroup: String { Self.own } }"
        ),
        ("A.swift", "let c = try SharedContainer.create(inAppGroup: \"GROUP\")"),
        ("A.swift", "let e = PictureServiceExtension(appGroup: \"GROUP\", categories: nil)"),
        ("A.js", "// it's\nconst appGroup = 'GROUP';"),
        (
            "A.js",
            "module.exports = { entitlements: {\n"
                + "  \"com.apple.security.application-groups\": [\"GROUP\"] } };"
        ),
        ("A.m", "[[THMPictureServiceExtension alloc] initWithAppGroup:@\"GROUP\" categories:nil];"),
        (
            "A.m",
            "static NSString *const kGroup = @\"GROUP\";\n"
                + "[[THMPictureServiceExtension alloc] initWithAppGroup:kGroup categories:nil];"
        ),
    ]

    @Test("A group that no target has is an error with its place", arguments: uses)
    func use(file: String, text: String) async throws {
        let good = try await check([
            file: text.replacing("GROUP", with: "group.org.example.daily")
        ])
        #expect(good.findings.isEmpty, "\(good.lines().joined(separator: "\n"))")
        let bad = try await check([
            file: text.replacing("GROUP", with: "group.org.example.Daily")
        ])
        #expect(bad.findings.map(\.code) == [.appGroupMismatch])
        let finding = try #require(bad.findings.first)
        #expect(finding.severity == .error && bad.exitCode == 3)
        #expect(
            finding.message == "the sources name the App Group “group.org.example.Daily”, and the "
                + "app is not in it; “group.org.example.daily” differs only in upper and lower case"
        )
        #expect(finding.places.first?.file.hasSuffix("Sources/\(file)") == true)
        #expect(finding.places.first?.line != nil)
    }

    @Test("A group that only some targets have is a warning")
    func partial() async throws {
        let text = "class A: B { override var appGroup: String { \"group.org.example.other\" } }"
        let report = try await check(["A.swift": text]) {
            $0.setGroups("app", to: ["group.org.example.daily", "group.org.example.other"])
        }
        #expect(report.findings.map(\.code) == [.appGroupMismatch])
        #expect(report.findings.first?.severity == .warning)
        #expect(report.findings.first?.message.contains("service extension is not in it") == true)
    }

    @Test("Targets that differ among themselves have one finding, not another for the sources")
    func single() async throws {
        let text = "class A: B { override var appGroup: String { \"group.org.example.daily\" } }"
        let report = try await check(["A.swift": text]) {
            $0.setGroups("content", to: ["group.org.example.dayly"])
        }
        #expect(report.findings.map(\.code) == [.appGroupMismatch])
        #expect(
            report.findings.first?.places.first?.file.hasSuffix("content.entitlements") == true)
    }

    @Test("Without entitlements, the groups of the sources are compared with each other")
    func sourcesOnly() async throws {
        func text(_ group: String) -> String {
            "class A: B { override var appGroup: String { \"\(group)\" } }"
        }
        let report = try await check(["A.swift": text("group.a.b"), "B.swift": text("group.a.c")]) {
            $0.input.appEntitlements = nil
            $0.input.serviceEntitlements = nil
            $0.input.contentEntitlements = []
        }
        #expect(
            report.findings.map(\.message) == [
                "the sources name the App Group “group.a.c”, and also “group.a.b”; “group.a.b” "
                    + "differs in one character"
            ])
    }

    @Test(
        "Computed names, comments and other properties are not compared",
        arguments: [
            "class A: B { override var appGroup: String { name(of: kind) } }",
            "class A: B { override var appGroup: String { \"group.\\(name)\" } }",
            "// class A: B { override var appGroup: String { \"group.other\" } }",
            "class A { var group: String { \"group.other\" } }",
            "func open(inAppGroup group: String) {}",
        ])
    func unknown(text: String) async throws {
        let report = try await check(["A.swift": text])
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
    }
}
