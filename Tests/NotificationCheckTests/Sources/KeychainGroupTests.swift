import Foundation
import NotificationCheck
import Testing

@Suite("Keychain groups in sources", .timeLimit(.minutes(1)))
struct KeychainGroupTests {
    private static let sealing =
        "let keys = KeychainSealingKey(accessGroup: \"ABCDE12345.org.example.daily\")"

    /// Checks sources against the keychain groups of all three targets.
    private func check(
        _ source: String, groups: [String], without target: String? = nil
    ) async throws -> CheckReport {
        let project = try SampleProject()
        project.input.sources = [project.path("Sources")]
        let folder = URL(fileURLWithPath: project.path("Sources"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: folder.appending(path: "A.swift"))
        for each in ["app", "service", "content"] where each != target && !groups.isEmpty {
            project.entitlements[each]?["keychain-access-groups"] = groups
        }
        return try await project.check()
    }

    @Test(
        "A project whose targets are all in the group has no finding",
        arguments: [
            ["ABCDE12345.org.example.daily"], ["$(AppIdentifierPrefix)org.example.daily"],
            ["$(AppIdentifierPrefix)other", "$(AppIdentifierPrefix)org.example.daily"],
        ])
    func good(groups: [String]) async throws {
        let report = try await check(Self.sealing, groups: groups)
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
    }

    @Test(
        "A target without the entitlement is an error",
        arguments: ["app", "service", "content"])
    func missing(target: String) async throws {
        let report = try await check(
            Self.sealing, groups: ["$(AppIdentifierPrefix)org.example.daily"], without: target)
        #expect(report.findings.map(\.code) == [.missingKeychainGroup])
        #expect(
            report.findings.first?.places.first?.file.hasSuffix("\(target).entitlements") == true)
        #expect(report.exitCode == 3)
    }

    @Test("Another group than that of the code is an error at its place")
    func other() async throws {
        let report = try await check(
            Self.sealing, groups: ["$(AppIdentifierPrefix)org.example.dayly"])
        #expect(report.findings.map(\.code) == Array(repeating: .missingKeychainGroup, count: 3))
        #expect(report.findings.first?.places.first?.file.hasSuffix("A.swift") == true)
    }

    @Test(
        "Without sealing, or with an App Group as the keychain group, no entitlement is needed",
        arguments: [
            "let nothing = 1", "// \(sealing)",
            "let keys = KeychainSealingKey(accessGroup: \"group.org.example.daily\")",
            "func f(accessGroup: String) {}",
        ])
    func unneeded(source: String) async throws {
        let report = try await check(source, groups: [])
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
    }

    @Test("A computed group needs the entitlement, whatever its name")
    func computed() async throws {
        let source = "let keys = KeychainSealingKey(accessGroup: name(of: team))"
        #expect(try await check(source, groups: ["any"]).findings.isEmpty)
        #expect(
            try await check(source, groups: []).findings.map(\.code)
                == Array(repeating: .missingKeychainGroup, count: 3))
    }
}
