import Foundation
import NotificationCheck
import Testing

@Suite("Categories in sources", .timeLimit(.minutes(1)))
struct SourceTests {
    /// Checks a content extension's categories against sources; returns the report.
    private func check(
        _ sources: [String: String], declaring categories: [String] = ["photo"]
    ) async throws -> CheckReport {
        let project = try SampleProject()
        project.input.registeredCategories = nil
        project.input.sources = [project.path("Sources")]
        project.setContent("UNNotificationExtensionCategory", to: categories)
        for (name, text) in sources {
            let file = URL(fileURLWithPath: project.path("Sources/\(name)"))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try await project.check()
    }

    private static let registrations = [
        "let category = UNNotificationCategory(identifier: \"photo\", actions: [])",
        "UNNotificationCategory.init(\n  identifier: \"photo\", actions: [keep, open])",
        "let all: Set<UNNotificationCategory> = [.init(identifier: \"photo\", actions: [], "
            + "intentIdentifiers: [])]",
        "let id = \"photo\"\nfunc f() { UNNotificationCategory(identifier: id, actions: []) }",
        "enum Names { static let photo: String = \"photo\" }\n"
            + "let c = UNNotificationCategory(identifier: Names.photo, actions: [])",
        "enum Category: String { case photo, album = \"Album\" }\n"
            + "let c = UNNotificationCategory(identifier: Category.photo.rawValue, actions: [])",
        "extension App.Names { static let shown = \"photo\" }\n"
            + "let c = UNNotificationCategory(identifier: App.Names.shown, actions: [])",
        "struct A { private static let id = \"photo\"\n"
            + "func f() { _ = UNNotificationCategory(identifier: Self.id, actions: []) } }",
        "let c = UNNotificationCategory(identifier: #\"photo\"#, actions: [])",
        "let c = UNNotificationCategory(identifier: \"ph\\u{6F}to\", actions: [])",
    ]

    @Test("Swift's categories are found, with simple constants", arguments: registrations)
    func swift(text: String) async throws {
        let report = try await check(["App.swift": text])
        if text.contains("\\u{") {
            // An escape by number is not resolved, so nothing is claimed.
            #expect(report.findings.isEmpty)
            #expect(report.unchecked.map(\.part) == [.registeredCategory])
        } else {
            #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
            #expect(report.unchecked.isEmpty)
        }
        let other = try await check(
            ["App.swift": text], declaring: ["photo", "photos"])
        let expected: [CheckReport.Code] = text.contains("\\u{") ? [] : [.unregisteredDeclaration]
        #expect(other.findings.map(\.code) == expected)
    }

    private static let messages = [
        "[UNNotificationCategory categoryWithIdentifier:@\"photo\" actions:@[] options:0];",
        "static NSString *const kPhoto = @\"photo\";\n"
            + "[UNNotificationCategory categoryWithIdentifier:kPhoto actions:@[]];",
        "#define PHOTO @\"photo\"\n"
            + "[UNNotificationCategory categoryWithIdentifier:PHOTO\n actions:@[]];",
    ]

    @Test("Objective-C's categories are found, with constants and macros", arguments: messages)
    func objectiveC(text: String) async throws {
        let report = try await check(["App.m": text])
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        #expect(report.unchecked.isEmpty)
    }

    private static let scripts = [
        "Notifications.setNotificationCategoryAsync(\"photo\", []);",
        "// it's\nimport { setNotificationCategoryAsync } from 'expo-notifications';\n"
            + "setNotificationCategoryAsync('photo', [{ text: `a\n${\"b\"}` }]);",
        "export const category: string = 'photo';\n"
            + "export const register = () => N.setNotificationCategoryAsync(category, []);",
        // Quotation marks and a comment in regular expressions, and slashes that divide.
        "const quote = /[\"/]/g; setNotificationCategoryAsync('photo', []); // \"",
        "const mark = text.match(/\\/\\*'`/) || 'none'; setNotificationCategoryAsync('photo', []);",
        "const half = (width + 1) / 2; setNotificationCategoryAsync('photo', list[0] / n / 3); ",
        "const a = <Text b=\"c\">1 / 2</Text>; setNotificationCategoryAsync('photo', []); d /= 2;",
        "function f(x) { return /`/.test(x); }\nsetNotificationCategoryAsync('photo', []);",
    ]

    @Test("JavaScript's categories of Expo are found, in scripts too", arguments: scripts)
    func javaScript(text: String) async throws {
        for name in ["App.js", "App.tsx"] {
            let report = try await check([name: text])
            #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
            #expect(report.unchecked.isEmpty)
            let other = try await check([name: text], declaring: ["photo", "photos"])
            #expect(other.findings.map(\.code) == [.unregisteredDeclaration])
        }
    }

    @Test("A computed category of JavaScript leaves the registration open")
    func computedScript() async throws {
        for text in ["(`photo`, [])", "(name(), [])", "('ph' + 'oto', [])"] {
            let report = try await check(["App.js": "setNotificationCategoryAsync\(text);"])
            #expect(report.unchecked.map(\.part) == [.registeredCategory], "\(text)")
        }
    }

    @Test("A constant may be in another file")
    func files() async throws {
        let report = try await check([
            "Shared/Names.h": "extern NSString *const DPPhoto;",
            "Shared/Names.m": "NSString *const DPPhoto = @\"photo\";",
            "App/App.m": "[UNNotificationCategory categoryWithIdentifier:DPPhoto actions:@[]];",
        ])
        #expect(report.findings.isEmpty && report.unchecked.isEmpty)
    }

    @Test("Comments, texts and foreign folders register nothing; a near miss is named")
    func nothing() async throws {
        let call = "UNNotificationCategory(identifier: \"photo\", actions: [])"
        let report = try await check([
            "App.swift": """
            // \(call)
            /* /* nested */ \(call) */
            let text = "\(call.replacing("\"", with: "\\\""))"
            let c = UNNotificationCategory(identifier: "Photo", actions: [])
            """,
            "Pods/SDK.swift": call, ".build/SDK.swift": call, "notes.txt": call,
            "build/App.swift": call, "web/dist/App.js": "setNotificationCategoryAsync('photo', [])",
        ])
        #expect(report.findings.map(\.code) == [.unregisteredCategory])
        #expect(
            report.findings.first?.message
                == "the app does not register “photo”; “Photo” differs only in upper and lower case"
        )
    }

    private static let computed = [
        "UNNotificationCategory(identifier: name(of: kind), actions: [])",
        "UNNotificationCategory(identifier: \"ph\\(kind)\", actions: [])",
        "UNNotificationCategory(identifier: prefix + \"photo\", actions: [])",
        "let id = \"a\"\nlet id = \"b\"\nUNNotificationCategory(identifier: id, actions: [])",
    ]

    @Test(
        "Computed identifiers leave the registration open, with their first place",
        arguments: computed)
    func open(text: String) async throws {
        let report = try await check(["App.swift": text])
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        let gap = try #require(report.unchecked.first)
        #expect(gap.part == .registeredCategory)
        let line = text.split(separator: "\n").count
        #expect(gap.what.contains("“photo”") && gap.what.contains("App.swift:\(line)"))
    }

    @Test("Sources that are missing are a finding")
    func missing() async throws {
        let project = try SampleProject()
        project.input.registeredCategories = nil
        project.input.sources = [project.path("absent")]
        let report = try await project.check()
        #expect(report.findings.map(\.code) == [.unreadableFile])
        #expect(report.findings.first?.places.map(\.file) == [project.path("absent")])
    }

    @Test("Damaged sources end in a report")
    func hostile() async throws {
        let texts = [
            "\"", "#\"", "\"\\", "\"\\(", "\"\\(\"", "\"\"\"", "/*", "/*/*", "'", "#", "##\"a\"#",
            "UNNotificationCategory(identifier:", "UNNotificationCategory(identifier",
            "categoryWithIdentifier:", "categoryWithIdentifier:@", "let", "let a", "let a:",
            "let a =", "enum", "enum A: String { case", "enum A: String { case a =", "}}}}",
            "#define",
            "case a", ".init(identifier: x.", "identifier:", "(identifier:",
            "var appGroup: String {", "var appGroup: String { return", "var appGroup",
            "(inAppGroup:", "(inAppGroup: x.", "initWithAppGroup:", "initWithAppGroup:@",
            "const appGroup =", "\"com.apple.security.application-groups\": [", "`", "`${",
            "/", "=/", "=/[", "=/\\", "=/a\\\n/", String(repeating: "=/[", count: 100_000),
            String(repeating: "(", count: 100_000), String(repeating: "{", count: 100_000),
        ]
        var sources: [String: String] = [:]
        for (index, text) in texts.enumerated() {
            sources["\(index).swift"] = text + " UNNotificationCategory"
            sources["\(index)-end.swift"] = "UNNotificationCategory " + text
            sources["\(index).m"] = text + " categoryWithIdentifier"
            sources["\(index).js"] = text + " setNotificationCategoryAsync("
            sources["\(index)-end.m"] = "categoryWithIdentifier " + text
        }
        sources["photo.swift"] = "UNNotificationCategory(identifier: \"photo\", actions: [])"
        let report = try await check(sources)
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
    }
}
