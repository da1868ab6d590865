import ArgumentParser
import AttachmentContainer
import Foundation

extension Container {
    /// `thimble container verify`.
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Hash every rendition again and check every manifest.",
            discussion: """
                Changes nothing. Other processes may publish meanwhile. The exit \
                code is 3 when there is damage.

                EXAMPLES
                  thimble container verify --container Container
                  thimble container verify --container Container --report json
                """)

        @OptionGroup var container: ContainerOption

        @Option(help: "What to print on standard output: text or json.")
        var report = ReportFormat.fromEnvironment.value

        private struct Report: Encodable {
            let totals: VerificationTotals
            let findings: [Finding]
        }

        func validate() throws { try ReportFormat.fromEnvironment.check() }

        func run() throws {
            let shared = try container.open()
            let isInteractive = Terminal.isInteractive
            var findings: [Finding] = []
            let totals = shared.verify { event in
                switch event {
                case .finding(let finding): findings.append(finding)
                case .progress(let totals):
                    guard isInteractive, totals.renditions % 50 == 0 else { return }
                    Terminal.redraw(
                        "\(totals.manifests) manifests, \(totals.renditions) renditions")
                }
            }
            if isInteractive { Terminal.erase() }
            let damage = findings.filter { $0.severity == .error }
            switch report {
            case .json: try JSONOutput.print(Report(totals: totals, findings: findings))
            case .text:
                findings.forEach { TextOutput.print("\($0)") }
                TextOutput.print(
                    "\(totals.manifests) manifests and \(totals.renditions) renditions "
                        + "(\(totals.bytes)) verified: "
                        + (damage.isEmpty ? "no damage" : "\(damage.count) damaged"))
            }
            if !damage.isEmpty { throw ExitCode.someFailed }
        }
    }
}
