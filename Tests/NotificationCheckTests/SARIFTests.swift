import Foundation
import NotificationCheck
import Testing

@Suite("SARIF", .timeLimit(.minutes(1)))
struct SARIFTests {
    private struct Log: Decodable {
        let version: String
        let runs: [Run]

        struct Run: Decodable {
            let tool: Tool
            let invocations: [Invocation]
            let results: [Result]
        }

        struct Tool: Decodable {
            let driver: Driver
        }

        struct Driver: Decodable {
            let name, version: String
            let rules: [Rule]
        }

        struct Rule: Decodable {
            let id: String
            let shortDescription, fullDescription, help: Message
            let defaultConfiguration: Configuration
        }

        struct Configuration: Decodable {
            let level: String
        }

        struct Message: Decodable {
            let text: String
        }

        struct Invocation: Decodable {
            let executionSuccessful: Bool
            let exitCode: Int
            let toolExecutionNotifications: [Notification]
        }

        struct Notification: Decodable {
            let message: Message
            let level: String
        }

        struct Result: Decodable {
            let ruleId: String
            let ruleIndex: Int
            let level: String
            let message: Message
            let locations: [Location]
        }

        struct Location: Decodable {
            struct Physical: Decodable {
                struct Artifact: Decodable { let uri: String }
                struct Region: Decodable { let startLine: Int }
                let artifactLocation: Artifact
                let region: Region?
            }

            struct Logical: Decodable { let fullyQualifiedName: String }

            let physicalLocation: Physical
            let logicalLocations: [Logical]?
        }
    }

    private func log(of report: CheckReport) throws -> Log {
        let json = try JSONEncoder().encode(SARIFLog(report, version: "1.2.3"))
        return try JSONDecoder().decode(Log.self, from: json)
    }

    @Test("Rules describe every kind of finding, and results refer to them")
    func results() async throws {
        let project = try SampleProject()
        project.setCategory("Photo")
        project.setPayload("aps.sound", to: "salmon.caf")
        project.setContent("UNNotificationExtensionDefaultContentHiden", to: true)
        project.input.container = nil
        let report = try await project.check()
        let log = try log(of: report)
        #expect(log.version == "2.1.0" && log.runs.count == 1)
        let run = try #require(log.runs.first)
        let driver = run.tool.driver
        #expect(driver.name == "thimble check" && driver.version == "1.2.3")
        #expect(driver.rules.map(\.id) == CheckReport.Code.allCases.map(\.rawValue))
        for rule in driver.rules {
            let texts = [rule.shortDescription, rule.fullDescription, rule.help].map(\.text)
            #expect(texts.allSatisfy { $0.hasSuffix(".") && $0.count > 5 })
            #expect(["error", "warning", "note"].contains(rule.defaultConfiguration.level))
        }
        #expect(run.results.map(\.ruleId) == ["unknown-category", "ignored-key", "custom-sound"])
        #expect(run.results.map(\.level) == ["error", "warning", "note"])
        for result in run.results {
            #expect(driver.rules[result.ruleIndex].id == result.ruleId)
            #expect(result.message.text.hasSuffix(".") && result.locations.count == 1)
        }
        let location = try #require(run.results.first?.locations.first)
        #expect(
            location.physicalLocation.artifactLocation.uri
                == "file://" + project.path("payload.json"))
        #expect(location.logicalLocations?.map(\.fullyQualifiedName) == ["aps.category"])
        let invocation = try #require(run.invocations.first)
        #expect(invocation.executionSuccessful && invocation.exitCode == 3)
        #expect(invocation.toolExecutionNotifications.map(\.level) == ["note"])
        #expect(
            invocation.toolExecutionNotifications.first?.message.text
                == "Not checked: the pictures in the shared container (container).")
    }

    @Test("Lines are regions, every location is a result, and paths are URI references")
    func locations() async throws {
        let project = try SampleProject()
        project.setPayload("aps.alert", to: nil)
        let data = try JSONSerialization.data(withJSONObject: project.payload)
        project.input.payloads = [
            .bytes(
                Array(data + Data("\n".utf8) + data + Data("\n".utf8)), name: "a b:ü.json",
                folder: project.folder.path)
        ]
        let log = try log(of: try await project.check())
        let results = log.runs.flatMap(\.results)
        #expect(results.map(\.ruleId) == ["missing-alert", "missing-alert"])
        let places = results.flatMap(\.locations).map(\.physicalLocation)
        #expect(places.map(\.region?.startLine) == [1, 2])
        #expect(
            places.map(\.artifactLocation.uri) == Array(repeating: "a%20b%3A%C3%BC.json", count: 2))
    }

    @Test("A check without findings has an empty list of results, which is not null")
    func empty() async throws {
        let report = try await SampleProject().check()
        let json = try JSONEncoder().encode(SARIFLog(report, version: "1"))
        let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        #expect(object?["$schema"] as? String != nil)
        let run = (object?["runs"] as? [[String: Any]])?.first
        #expect((run?["results"] as? [Any])?.isEmpty == true)
    }
}
