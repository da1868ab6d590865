import Foundation
import Testing

@Suite("The page of the system's features", .timeLimit(.minutes(1)))
struct SystemFeaturesTests {
    private let project = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../..").standardized

    /// The last column of each row.
    private var tests: [(feature: String, tests: String)] {
        get throws {
            let page = project.appendingPathComponent(
                "Sources/Notifications/Delivery/NotificationDelivery.docc/SystemFeatures.md")
            return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
                .filter { $0.hasPrefix("| ") }
                .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
                .filter { $0.count == 3 && $0[0] != "feature" }
                .map { ($0[0], $0[2]) }
        }
    }

    /// The names of all suites in `Tests`.
    private var suites: Set<String> {
        get throws {
            var names: Set<String> = []
            let folder = project.appendingPathComponent("Tests")
            for case let file as String in FileManager.default.enumerator(atPath: folder.path)
                ?? .init()
            where file.hasSuffix("Tests.swift") {
                let text = try String(
                    contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
                names.formUnion(
                    text.matches(of: /(?:struct|class) (\w+Tests)\b/).map { String($0.1) })
            }
            return names
        }
    }

    @Test("Every feature has a test, and every test exists")
    func named() throws {
        let (rows, suites) = try (tests, suites)
        #expect(rows.count > 30)
        for row in rows {
            let names = row.tests.matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!names.isEmpty || row.tests.contains("type check"), "\(row.feature)")
            for name in names {
                let isScript = name.hasPrefix("Tests/")
                let exists =
                    isScript
                    ? FileManager.default.fileExists(
                        atPath: project.appendingPathComponent(name).path)
                    : suites.contains(name)
                #expect(exists, "\(row.feature): \(name)")
            }
        }
    }
}
