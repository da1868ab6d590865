import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationCheck
import SampleApps
import Testing

/// Footprints cover the whole process, so the tests run one after the other.
@Suite("Apps that are larger than their files", .serialized, .timeLimit(.minutes(2)))
struct HostileSizeTests {
    /// The length of a bomb, in bytes; the memory of a check is a multiple of it.
    private static let bomb = 64 << 20
    /// Memory beside the largest file, in bytes: literals, lists and the report.
    private static let slack = 24 << 20

    /// Checks an app, and returns the report, the growth of the footprint at its peak and the time.
    private func measured(
        _ app: SampleApp, as package: SampleApp.Package,
        _ change: (inout CheckInput) throws -> Void = { _ in }
    ) async throws -> (report: CheckReport, growth: Int, time: Duration) {
        let path = try app.write(as: package)
        let recorder = PeakRecorder()
        let before = try #require(Footprint.current())
        let interval = recorder.begin()
        defer { recorder.end(interval) }
        let start = ContinuousClock.now
        let report = try await AppCheck.run(at: path, in: app.folder, change)
        let time = start.duration(to: .now)
        return (report, recorder.peak(of: interval).bytes - before.bytes, time)
    }

    private static let packages: [SampleApp.Package] = [.app, .ipa]

    @Test("A program of a thousand times its archive takes its own size once", arguments: packages)
    func program(package: SampleApp.Package) async throws {
        let app = try SampleApp()
        app.files["Daily"] = SampleProgram(strings: [SampleApp.category]).bytes
        app.files["Daily"]? += [UInt8](repeating: 0, count: Self.bomb)
        for number in 0..<3 {
            app.files["Frameworks/\(number).dylib"] = app.files["Daily"]
        }
        let (report, growth, _) = try await measured(app, as: package)
        // Its signature has no entitlements.
        #expect(report.findings.allSatisfy { $0.code != .malformedFile })
        #expect(growth < Self.bomb + Self.slack, "\(growth)")
    }

    @Test("A program of short literals is not held as a list of them", arguments: packages)
    func literals(package: SampleApp.Package) async throws {
        let app = try SampleApp()
        app.app.program.strings = Array(repeating: "a", count: Self.bomb / 32)
        let (report, growth, _) = try await measured(app, as: package)
        #expect(report.findings.map(\.code) == [.unregisteredCategory])
        #expect(growth < Self.bomb / 8 + Self.slack, "\(growth)")
    }

    @Test("More literals than an app has prove nothing")
    func manyLiterals() async throws {
        let app = try SampleApp()
        app.app.program.strings = (0..<600_000).map { "string \($0)" }
        let (report, growth, _) = try await measured(app, as: .ipa)
        #expect(report.findings.isEmpty)
        #expect(report.unchecked.map(\.part) == [.sources, .container])
        #expect(growth < 200 << 20, "\(growth)")
    }

    @Test("Frameworks of more bytes than the budget leave the literals open, in seconds")
    func budget() async throws {
        let app = try SampleApp()
        app.app.program.strings = []
        let zeros = [UInt8](repeating: 0, count: 100 << 20)
        app.change = { zip in
            var member = SampleZip.Member("Payload/Daily.app/Frameworks/0.dylib", zeros)
            member.compress()
            for number in 0..<200 {
                member.name = "Payload/Daily.app/Frameworks/\(number).dylib"
                zip.members.append(member)
            }
        }
        let (report, growth, time) = try await measured(app, as: .ipa)
        #expect(report.findings.isEmpty)
        #expect(report.unchecked.map(\.part) == [.sources, .container])
        #expect(growth < (100 << 20) + Self.slack, "\(growth)")
        #expect(time < .seconds(60))
    }

    @Test("Many members with long names take twice the directory's size")
    func names() async throws {
        let app = try SampleApp()
        app.change = { zip in
            for number in 0..<30_000 {
                let name = (0..<60).map { "\(number)x\($0)" }.joined(separator: "/")
                zip.members.append(SampleZip.Member(name, []))
            }
        }
        let (report, growth, _) = try await measured(app, as: .ipa)
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        #expect(growth < 64 << 20, "\(growth)")
    }

    @Test("Thousands of similar names are searched in seconds", arguments: [false, true])
    func searches(hasSources: Bool) async throws {
        let app = try SampleApp()
        let names = (0..<900).map { "org.example.category.of.the.day.\(10_000 + $0)" }
        app.app.program.strings = (0..<100_000).map { "org.example.category.of.the.dax.\($0)" }
        app.setContent("UNNotificationExtensionCategory", to: names + [SampleApp.category])
        let file = app.folder.appending(path: "Category.swift")
        let cases = (0..<20_000).map { "case n\($0) = \"org.example.category.of.the.dax.\($0)\"" }
        let calls = (0..<20_000).map { "UNNotificationCategory(identifier: A.n\($0), actions: [])" }
        try Data(
            ("enum A: String {\n" + cases.joined(separator: "\n") + "}\n"
                + calls.joined(separator: "\n")).utf8
        ).write(to: file)
        let (report, _, time) = try await measured(app, as: .ipa) {
            if hasSources { $0.sources = [file.path] }
        }
        #expect(report.findings.count { $0.code == .unregisteredDeclaration } == names.count)
        #expect(time < .seconds(60), "\(time)")
    }

    @Test("Lists of more names than an app has are findings")
    func lists() async throws {
        let app = try SampleApp()
        app.setContent("UNNotificationExtensionCategory", to: (0...1000).map { "photo\($0)" })
        app.extensions["Service"]?.entitlements = [
            "com.apple.security.application-groups": (0...100).map { "group.\($0)" }
        ]
        let report = try await AppCheck.run(app, as: .ipa)
        let messages = report.findings.map(\.message)
        #expect(messages.contains { $0.contains("more than 1000 categories") }, "\(messages)")
        #expect(messages.contains { $0.contains("more than 100 groups") }, "\(messages)")
    }

    @Test("More extensions than an app has are a finding")
    func extensions() async throws {
        let app = try SampleApp()
        for number in 0..<100 { app.files["PlugIns/\(number).appex/a"] = [1] }
        for package in Self.packages {
            let report = try await AppCheck.run(app, as: package)
            #expect(report.findings.map(\.code) == [.malformedFile])
            #expect(report.findings.first?.message.contains("more than 100 extensions") == true)
        }
    }

    @Test("Sources of more tokens than a project has are a finding")
    func sources() async throws {
        let app = try SampleApp()
        let folder = app.folder.appending(path: "Sources")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = "UNNotificationCategory" + String(repeating: "(", count: 2_100_000)
        for name in ["a", "b"] {
            try Data(text.utf8).write(to: folder.appending(path: "\(name).swift"))
        }
        let (report, growth, _) = try await measured(app, as: .ipa) { $0.sources = [folder.path] }
        #expect(report.findings.map(\.code) == [.malformedFile])
        #expect(report.findings.first?.message.contains("tokens") == true)
        #expect(growth < 400 << 20, "\(growth)")
    }
}
