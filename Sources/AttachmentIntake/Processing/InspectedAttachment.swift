public import AttachmentContainer
public import AttachmentPlanning

/// The header of an attachment, and the plans for it under the budget of the process that read it.
public struct InspectedAttachment: Sendable, Hashable, Codable {
    /// One step of the ladder, judged by the budget.
    public struct Rung: Sendable, Hashable, Codable {
        /// The rung.
        public let rung: Plan.Rung
        /// The size of the expanded rendition, in pixels.
        public let size: PixelSize
        /// The largest size of the animation, in pixels; nil for a still.
        public let animationSize: PixelSize?
        /// The plan, in one line for a person.
        public let plan: String
        /// The predicted peak footprint of the process.
        public let predictedPeak: ByteCount
        /// The terms of the memory demand.
        public let terms: [MemoryDemand.Term]
        /// True for the step that processing begins with.
        public let isChosen: Bool
        /// Excess of the prediction and the reserve over the cap; nil if the step fits.
        public let over: ByteCount?
        /// True for a step that trades memory for speed, chosen only where memory is plentiful.
        public let isSpacious: Bool
    }

    /// The header.
    public let content: ProbedAttachment
    /// The budget that the plans compete for.
    public let budget: MemoryBudget
    /// The steps of the ladder, best first; empty for sound and movies.
    public let rungs: [Rung]
    /// The predicted peak footprint of the chosen step, or of passing media through; nil if no step
    /// fits.
    public let predictedPeak: ByteCount?

    /// Judges the ladder of a picture.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - ladder: The ladder.
    ///   - budget: The budget of the process.
    public init(_ header: AttachmentHeader, _ ladder: Ladder, within budget: MemoryBudget) {
        content = .picture(header)
        self.budget = budget
        let chosen = ladder.step(within: budget)
        rungs = ladder.steps.map { step in
            let over = step.demand.total(in: budget).bytes - budget.work.bytes
            return Rung(
                rung: step.plan.rung, size: step.plan.expandedSize,
                animationSize: step.plan.animationSize, plan: step.plan.description,
                predictedPeak: step.predictedPeak(in: budget), terms: step.demand.terms,
                isChosen: step == chosen, over: over > 0 ? ByteCount(over) : nil,
                isSpacious: step.isSpacious)
        }
        predictedPeak = chosen?.predictedPeak(in: budget)
    }

    /// Judges sound or a movie, which is passed through.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - budget: The budget of the process.
    public init(_ header: MediaHeader, within budget: MemoryBudget) {
        content = .media(header)
        self.budget = budget
        rungs = []
        predictedPeak = MemoryDemand.passThrough.predictedPeak(in: budget)
    }
}
