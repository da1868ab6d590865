import Foundation
import NotificationCheck
import SampleApps
import Testing

@Suite("Built apps", .timeLimit(.minutes(2)))
struct AppTests {
    @Test(
        "An app without faults has no findings, and all but the container is checked",
        arguments: SampleApp.Package.allCases)
    func faultless(package: SampleApp.Package) async throws {
        let report = try await AppCheck.run(SampleApp(), as: package)
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        #expect(report.unchecked.map(\.part) == [.container])
        #expect(report.exitCode == 0)
    }

    @Test(
        "Each fault alone causes exactly its own finding, in folders and in archives",
        arguments: AppFault.all, [SampleApp.Package.app, .ipa])
    func fault(fault: AppFault, package: SampleApp.Package) async throws {
        let app = try SampleApp()
        try fault.change(app)
        let report = try await AppCheck.run(app, as: package)
        #expect(
            report.findings.map(\.code) == [fault.code],
            "\(report.lines().joined(separator: "\n"))")
        let finding = try #require(report.findings.first)
        #expect(
            fault.message.isEmpty || finding.message.contains(fault.message),
            "\(finding.message)")
        #expect(finding.severity == fault.severity)
        #expect(finding.places.count == 1)
        #expect(finding.places.allSatisfy { $0.file.hasSuffix(fault.file) }, "\(finding.places)")
        #expect(finding.places.allSatisfy { $0.file.hasPrefix(app.folder.path) })
        #expect(!finding.remedy.isEmpty)
        let exitCodes: [CheckReport.Severity: Int32] = [.error: 3, .warning: 2, .note: 0]
        #expect(report.exitCode == exitCodes[fault.severity])
    }

    /// Other forms of a faultless program.
    private static let forms: [(String, @Sendable (inout SampleProgram) throws -> Void)] = [
        ("fat", { $0.isFat = true }),
        ("32 bits", { $0.isWide = false }),
        (
            "simulator",
            {
                $0.simulatorEntitlements = try SampleApp.list([
                    "com.apple.security.application-groups": [SampleApp.group],
                    "aps-environment": "development",
                ])
                $0.entitlements = try SampleApp.list([:])
            }
        ),
        ("without DER", { $0.hasEncodedEntitlements = false }),
    ]

    @Test("Programs of all forms are read", arguments: forms.map(\.0))
    func programs(name: String) async throws {
        let form = try #require(Self.forms.first { $0.0 == name })
        let app = try SampleApp()
        try form.1(&app.app.program)
        for name in ["Service", "Content"] {
            guard var target = app.extensions[name] else { continue }
            try form.1(&target.program)
            app.extensions[name] = target
        }
        let report = try await AppCheck.run(app)
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
    }

    @Test("Literals are found in frameworks, and encrypted ones are left open")
    func literals() async throws {
        let app = try SampleApp()
        app.app.program.strings = []
        app.files["Frameworks/Notes.framework/Notes"] =
            SampleProgram(strings: [SampleApp.category]).bytes
        #expect(try await AppCheck.run(app).findings.isEmpty)
        let other = try SampleApp()
        other.app.program.strings = []
        other.app.program.isEncrypted = true
        let report = try await AppCheck.run(other)
        #expect(report.findings.isEmpty)
        #expect(report.unchecked.map(\.part) == [.sources, .container])
    }

    @Test("The absence of a short literal proves nothing, and the report asks for the sources")
    func shortLiterals() async throws {
        let app = try SampleApp()
        app.setContent("UNNotificationExtensionCategory", to: [SampleApp.category, "album"])
        let report = try await AppCheck.run(app)
        #expect(report.findings.isEmpty)
        let gap = try #require(report.unchecked.first)
        #expect(gap.part == .sources && gap.what.contains("“album”"))
        let sources = app.folder.appending(path: "Sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data("UNNotificationCategory(identifier: \"\(SampleApp.category)\", actions: [])".utf8)
            .write(to: sources.appending(path: "App.swift"))
        let other = try await AppCheck.run(app) { $0.sources = [sources.path] }
        #expect(other.findings.map(\.code) == [.unregisteredDeclaration])
        #expect(other.unchecked.map(\.part) == [.container])
    }

    @Test("An app of macOS has its files in Contents")
    func macOS() async throws {
        let app = try SampleApp()
        app.app.entitlements = [
            "com.apple.security.application-groups": [SampleApp.group],
            "com.apple.developer.aps-environment": "production",
        ]
        for (name, _) in try app.contents() {
            var parts = name.split(separator: "/").map(String.init)
            let isList = parts.last == "Info.plist"
            if parts.count > 2 {
                parts.insert(contentsOf: isList ? ["Contents"] : ["Contents", "MacOS"], at: 2)
            }
            if parts.count == 1, !isList { parts.insert("MacOS", at: 0) }
            app.moved[name] = "Contents/" + parts.joined(separator: "/")
        }
        for package in [SampleApp.Package.app, .xcarchive] {
            let report = try await AppCheck.run(app, as: package)
            #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        }
    }

    @Test("Files beside an app supplement it")
    func supplements() async throws {
        let app = try SampleApp()
        app.app.program.signature = .none
        let list = try SampleApp.list(app.app.entitlements ?? [:])
        let file = app.folder.appending(path: "app.entitlements")
        try Data(list).write(to: file)
        let report = try await AppCheck.run(app) { $0.appEntitlements = file.path }
        #expect(report.findings.map(\.code) == [.unsigned])
        #expect(report.unchecked.map(\.part) == [.container])
    }
}
