import Foundation
import NotificationCheck
import Testing

@Suite("Faults of a project", .timeLimit(.minutes(2)))
struct FaultTests {
    @Test("A project without faults has no findings, and everything is checked")
    func faultless() async throws {
        let report = try await SampleProject().check()
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        #expect(report.unchecked.isEmpty)
        #expect(report.payloads == 1)
        #expect(report.exitCode == 0)
    }

    @Test("Each fault alone causes exactly its own finding, at its location", arguments: Fault.all)
    func fault(fault: Fault) async throws {
        let project = try SampleProject()
        try fault.change(project)
        let report = try await project.check(fault.damage)
        #expect(
            report.findings.map(\.code) == [fault.code],
            "\(report.lines().joined(separator: "\n"))")
        let finding = try #require(report.findings.first)
        #expect(
            fault.message.isEmpty || finding.message.contains(fault.message),
            "\(finding.message)")
        #expect(
            finding.places.map { URL(fileURLWithPath: $0.file).lastPathComponent } == [fault.file])
        #expect(finding.severity == fault.code.severity)
        let expected: Int32 =
            switch fault.code.severity {
            case .error: 3
            case .warning: 2
            case .note: 0
            }
        #expect(report.exitCode == expected)
    }

    @Test("Every kind of finding has a fault that causes it", arguments: CheckReport.Code.allCases)
    func coverage(code: CheckReport.Code) {
        #expect(
            Fault.all.contains { $0.code == code } || AppFault.all.contains { $0.code == code })
    }

    @Test("Every kind of finding has a consequence, a source and a remedy")
    func explanations() {
        for code in CheckReport.Code.allCases {
            for text in [code.consequence, code.source, code.remedy] {
                #expect(!text.isEmpty && text.last != ".")
            }
        }
    }
}
