import AttachmentContainer
import AttachmentModel

/// The ladder of one attachment under a cap, as JSON or text.
struct LadderReport: Encodable {
    let cap: MemoryCap
    let baseline: ByteCount
    let reserve: ByteCount
    let rungs: [InspectedAttachment.Step]

    init(_ inspected: InspectedAttachment) {
        cap = inspected.budget.cap
        baseline = inspected.budget.baseline
        reserve = inspected.budget.reserve
        rungs = inspected.steps
    }

    /// Labelled lines: the chosen plan, then every rung.
    var lines: [String] {
        let chosen = rungs.first { $0.isChosen }
        let plan = chosen?.plan ?? "refused: no rung stays under the cap"
        return [
            "plan         \(plan)",
            "engine       \(chosen?.engine.rawValue ?? "none")",
            "ladder       cap \(cap), of which \(baseline) are the process's own and \(reserve) "
                + "are kept free",
        ] + rungs.map(\.line)
    }
}

extension InspectedAttachment.Step {
    fileprivate var line: String {
        let verdict =
            if isChosen {
                "chosen"
            } else if let over {
                "\(over) too much\(largest)"
            } else if isSpacious {
                "saves time, but takes more than an eighth of what there is"
            } else {
                "not needed"
            }
        return "  " + rung.rawValue.padded(to: 15)
            + (animationSize ?? size).description.padded(to: 11)
            + predictedPeak.description.padded(to: 9) + verdict
    }

    /// The largest term, as an explanation.
    private var largest: String {
        guard let term = terms.max(by: { $0.bytes < $1.bytes }) else { return "" }
        return ", \(term.bytes) of it for \(term.name)"
    }
}
