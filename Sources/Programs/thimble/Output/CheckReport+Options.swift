import NotificationCheck
import NotificationPayload

extension CheckReport {
    /// The report with the command's options in its remedies.
    func namingOptions(_ style: PayloadStyle) -> CheckReport {
        var report = self
        for index in findings.indices {
            guard let remedy = findings[index].code.remedyWithOptions(style) else { continue }
            report.findings[index].remedy = remedy
        }
        return report
    }
}

extension CheckReport.Code {
    /// The remedy with options; nil if no option is part of it.
    func remedyWithOptions(_ style: PayloadStyle) -> String? {
        switch self {
        case .wrongTarget: "give the file of the flag's target"
        case .unreadableContainer:
            "check owner and permissions, and run thimble container verify"
        case .overRenderBudget: "process it with this profile, or raise --render-budget"
        case .ratioMismatch:
            "declare the picture's ratio, or process it with --fitting crop"
        case .unsigned:
            "sign the app with its entitlements, or give them with --app-entitlements, "
                + "--service-entitlements and --content-entitlements"
        case .missingMediaKey:
            style == .auto
                ? "name it in thimble.media, or give its path with --payload-style"
                : "correct --payload-style, or omit it"
        default: nil
        }
    }
}

extension CheckInput.Part {
    /// The option that provides the part.
    var option: String { self == .identifier ? "--id" : "--\(rawValue)" }
}

/// A report in JSON, with an option for each part not checked.
struct CheckOutput: Encodable {
    let findings: [CheckReport.Finding]
    let unchecked: [Unchecked]
    let checklist: [CheckReport.Checkpoint]
    let payloads: Int

    struct Unchecked: Encodable {
        let what: String
        let flag: String
    }

    init(_ report: CheckReport) {
        findings = report.findings
        unchecked = report.unchecked.map { Unchecked(what: $0.what, flag: $0.part.option) }
        checklist = report.checklist
        payloads = report.payloads
    }
}
