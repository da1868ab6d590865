import AttachmentContainer
import AttachmentPlanning

/// The ladder of one attachment under a cap, as JSON or text.
struct LadderReport: Encodable {
    struct Rung: Encodable {
        let rung: Plan.Rung
        let size: PixelSize
        /// Maximum size of the animation, in pixels; nil without an animation.
        let animationSize: PixelSize?
        let plan: String
        let predictedPeak: ByteCount
        let terms: [MemoryDemand.Term]
        let isChosen: Bool
        /// Excess of prediction and reserve over the cap; nil if they fit.
        let over: ByteCount?
        /// True if the rung only saves time and is chosen only with ample memory.
        let isSpacious: Bool
    }

    let cap: MemoryCap
    let baseline: ByteCount
    let reserve: ByteCount
    let rungs: [Rung]

    init(_ ladder: Ladder, within budget: MemoryBudget) {
        cap = budget.cap
        baseline = budget.baseline
        reserve = budget.reserve
        let chosen = ladder.step(within: budget)
        rungs = ladder.steps.map { step in
            let over = step.demand.total(in: budget).bytes - budget.work.bytes
            return Rung(
                rung: step.plan.rung, size: step.plan.expandedSize,
                animationSize: step.plan.animationSize,
                plan: step.plan.description, predictedPeak: step.predictedPeak(in: budget),
                terms: step.demand.terms, isChosen: step == chosen,
                over: over > 0 ? ByteCount(over) : nil, isSpacious: step.isSpacious)
        }
    }

    /// Labelled lines: the chosen plan, then every rung.
    var lines: [String] {
        let chosen = rungs.first { $0.isChosen }
        let plan = chosen?.plan ?? "refused: no rung stays under the cap"
        return [
            "plan         \(plan)",
            "ladder       cap \(cap), of which \(baseline) are the process's own and \(reserve) "
                + "are kept free",
        ] + rungs.map(\.line)
    }
}

extension LadderReport.Rung {
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
