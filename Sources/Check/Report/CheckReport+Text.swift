extension CheckReport {
    /// Formats the report for a person: findings by step, the parts not checked, the places to look at,
    /// and the totals.
    ///
    /// - Parameters:
    ///   - decorate: Decorates a severity's name, for example with a colour. The default returns it
    ///     unchanged.
    ///   - name: Names a missing part of the input. The default is its raw value.
    /// - Returns: The lines, without line endings.
    public func lines(
        decorating decorate: (String, Severity) -> String = { label, _ in label },
        naming name: (CheckInput.Part) -> String = \.rawValue
    ) -> [String] {
        var lines: [String] = []
        for step in Step.allCases {
            let group = findings.filter { $0.code.step == step }
            guard !group.isEmpty else { continue }
            lines.append(step.title)
            for finding in group {
                let label = finding.severity.rawValue
                lines.append(
                    "  \(decorate(label, finding.severity))\(label.padding(to: 9))\(finding.message)"
                )
                lines += finding.details.map { "           \($0)" }
            }
            lines.append("")
        }
        if !unchecked.isEmpty {
            lines.append("Not checked")
            let names = unchecked.map { name($0.part) }
            let width = (names.map(\.count).max() ?? 0) + 2
            lines += zip(names, unchecked).map { name, item in
                "  \(name)\(name.padding(to: width))\(item.what)"
            }
            lines.append("")
        }
        return lines + places + ["", totals]
    }

    private var places: [String] {
        let width = Checkpoint.State.allCases.map(\.title.count).max() ?? 0
        return ["Places to look at, in this order"]
            + zip(1..., checklist).map { number, checkpoint in
                "  \(number)  \(checkpoint.state.title)"
                    + "\(checkpoint.state.title.padding(to: width + 2))"
                    + checkpoint.place.instruction
            }
    }

    private var totals: String {
        let counts = Severity.allCases.map { severity in
            let count = count(of: severity)
            return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return "\(counts.joined(separator: ", ")) (\(payloads) "
            + (payloads == 1 ? "payload" : "payloads") + " checked)"
    }
}

extension CheckReport.Step {
    fileprivate var title: String {
        switch self {
        case .files: "Files"
        case .category: "Category: is it the same everywhere?"
        case .delivery: "Delivery: is the service extension called?"
        case .sharing: "Sharing: do all targets see the same folder?"
        case .extensions: "Extensions: does the system load them?"
        case .picture: "Picture: can the content extension show it?"
        case .attachment: "Attachment: does the system take it?"
        }
    }
}

extension CheckReport.Finding {
    fileprivate var details: [String] {
        var details = places.map { "at     \($0)" }
        if count > places.count { details.append("       and \(count - places.count) more") }
        details.append("why    \(consequence) (\(source))")
        details.append("fix    \(remedy)")
        return details
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count))
    }
}
