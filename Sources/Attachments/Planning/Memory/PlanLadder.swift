public import AttachmentContainer
public import AttachmentModel

/// Plans for one attachment with their memory demands, best first.
public struct PlanLadder: Sendable, Hashable {
    /// One plan and its demand.
    public struct Step: Sendable, Hashable {
        /// Plan for decoding, resizing and encoding.
        public let plan: Plan
        /// Memory demand in addition to the baseline.
        public let demand: MemoryDemand

        /// True for a step that spends memory to save time.
        ///
        /// Such a step may take at most an eighth of the budget, which leaves memory to other work.
        public let isSpacious: Bool

        /// Returns true when the step fits a budget.
        ///
        /// - Parameter budget: The memory budget.
        /// - Returns: True if the demand fits; for a spacious step, if an eighth of the budget
        ///   holds it.
        public func fits(in budget: MemoryBudget) -> Bool {
            demand.total(in: budget).bytes <= budget.work.bytes / (isSpacious ? 8 : 1)
        }

        /// Predicted peak footprint of the process.
        ///
        /// - Parameter budget: The memory budget, which includes the baseline.
        /// - Returns: Baseline plus demand.
        public func predictedPeak(in budget: MemoryBudget) -> ByteCount {
            demand.predictedPeak(in: budget)
        }
    }

    /// Steps, best first; never empty.
    public let steps: [Step]

    /// Chooses the best step that stays within a budget.
    ///
    /// A larger budget never chooses a worse step.
    ///
    /// - Parameters:
    ///   - budget: The memory budget.
    ///   - rung: Considers only rungs below this one; nil for all. The default is nil.
    /// - Returns: The step, or nil when even the cheapest does not fit.
    public func step(within budget: MemoryBudget, below rung: Rung? = nil) -> Step? {
        steps.first { step in
            rung.map { $0 < step.plan.rung } ?? true && step.fits(in: budget)
        }
    }

    /// Steps below a rung; nil if the ladder has none.
    package func below(_ rung: Rung) -> PlanLadder? {
        let lower = steps.filter { rung < $0.plan.rung }
        return lower.isEmpty ? nil : PlanLadder(steps: lower)
    }

    /// Steps of other engines; nil if the ladder has none.
    package func without(_ engine: Engine) -> PlanLadder? {
        let others = steps.filter { $0.plan.engine != engine }
        return others.isEmpty ? nil : PlanLadder(steps: others)
    }

    /// Step with the smallest demand.
    public var cheapest: Step {
        steps.min { $0.demand.total < $1.demand.total } ?? steps[0]
    }
}
