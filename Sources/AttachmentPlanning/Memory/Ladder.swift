public import AttachmentContainer

/// The plans that could serve one attachment, best first, and what each takes of memory.
public struct Ladder: Sendable, Hashable, Codable {
    /// One plan and its demand.
    public struct Step: Sendable, Hashable, Codable {
        /// How the attachment would be decoded, resized and encoded.
        public let plan: Plan
        /// What that takes beside the baseline.
        public let demand: MemoryDemand

        /// Whether it takes memory to save time: it is chosen only where it takes at most an eighth of
        /// the budget, so that a phone is left its memory and a server its time.
        public let isSpacious: Bool

        /// Whether a budget is enough.
        ///
        /// - Parameter budget: What there is.
        /// - Returns: Whether what it takes is there, and for one that only saves time eight times that.
        public func fits(in budget: MemoryBudget) -> Bool {
            demand.total(in: budget).bytes <= budget.work.bytes / (isSpacious ? 8 : 1)
        }

        /// The peak footprint that is predicted for the process.
        ///
        /// - Parameter budget: The budget, for its baseline.
        /// - Returns: Baseline and demand together.
        public func predictedPeak(in budget: MemoryBudget) -> ByteCount {
            demand.predictedPeak(in: budget)
        }
    }

    /// The steps, best first; never empty.
    public let steps: [Step]

    /// Chooses the best step that stays within a budget.
    ///
    /// A larger budget never chooses a worse step.
    ///
    /// - Parameters:
    ///   - budget: What there is.
    ///   - rung: Only rungs below this one are considered; nil for all. The default is nil.
    /// - Returns: The step; nil when even the cheapest does not fit.
    public func step(within budget: MemoryBudget, below rung: Plan.Rung? = nil) -> Step? {
        steps.first { step in
            rung.map { $0 < step.plan.rung } ?? true && step.fits(in: budget)
        }
    }

    /// The step that takes the least.
    public var cheapest: Step {
        steps.min { $0.demand.total < $1.demand.total } ?? steps[0]
    }
}
