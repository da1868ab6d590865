import AttachmentContainer
import AttachmentModel
import AttachmentWorker

/// Summary of a run.
package struct MatrixReport: CustomStringConvertible {
    private let results: [MatrixResult]

    package init(_ results: [MatrixResult]) { self.results = results }

    /// Results with broken promises.
    package var findings: [MatrixResult] { results.filter { !$0.faults.isEmpty } }

    /// A line for each case.
    package var lines: [String] {
        results.map { result in
            let memory = result.memory.map {
                " \(result.rung ?? "") measured \($0.measuredPeak) predicted "
                    + ($0.predictedPeak?.description ?? "-")
            }
            return "\(result.matrixCase): \(result.ending)\(memory ?? "")"
        }
    }

    /// A table by cap and enforcement, then the findings.
    package var description: String {
        let groups = Dictionary(grouping: results) {
            "\($0.matrixCase.cap) \($0.matrixCase.enforcement.rawValue)"
        }
        let endings = Set(results.map(\.ending)).sorted()
        var text =
            "| cap | " + endings.joined(separator: " | ") + " | closest: measured / predicted |\n"
        text += "|---|" + endings.map { _ in "---:|" }.joined() + "---:|\n"
        let order = groups.sorted { $0.value[0].matrixCase.cap < $1.value[0].matrixCase.cap }
        for (name, group) in order {
            let counts = endings.map { ending in "\(group.count { $0.ending == ending })" }
            let closest = group.max { ($0.share ?? 0) < ($1.share ?? 0) }.flatMap { result in
                result.share.map { "\(Int(($0 * 100).rounded())) % (\(result.matrixCase))" }
            }
            text += "| \(name) | " + counts.joined(separator: " | ") + " | \(closest ?? "-") |\n"
        }
        text += "\n\(results.count) cases, \(findings.count) findings"
        for finding in findings {
            text += "\n\(finding)"
        }
        return text
    }
}

extension MatrixResult: CustomStringConvertible {
    /// The case and its faults.
    package var description: String { "\(matrixCase): \(faults.joined(separator: "; "))" }

    /// Measured peak divided by predicted peak.
    fileprivate var share: Double? {
        guard let memory, let predicted = memory.predictedPeak else { return nil }
        return Double(memory.measuredPeak.bytes) / Double(predicted.bytes)
    }
}
