public import AttachmentContainer

/// The header of an attachment, and the plans for it under the budget of the process that read it.
public struct InspectedAttachment: Sendable, Hashable, Codable {
    /// One step of the ladder, judged by the budget.
    public struct Step: Sendable, Hashable, Codable {
        /// The rung.
        public let rung: Rung
        /// The engine.
        public let engine: Engine
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

        package init(
            rung: Rung, engine: Engine, size: PixelSize, animationSize: PixelSize?, plan: String,
            predictedPeak: ByteCount, terms: [MemoryDemand.Term], isChosen: Bool,
            over: ByteCount?, isSpacious: Bool
        ) {
            self.rung = rung
            self.engine = engine
            self.size = size
            self.animationSize = animationSize
            self.plan = plan
            self.predictedPeak = predictedPeak
            self.terms = terms
            self.isChosen = isChosen
            self.over = over
            self.isSpacious = isSpacious
        }
    }

    /// Facts of a header.
    public enum Content: Sendable, Hashable, Codable {
        /// Picture; renditions are made from it.
        case picture(PictureSummary)
        /// Sound or movie; passed through.
        case media(MediaHeader)
    }

    /// The header's facts.
    public let content: Content
    /// The budget that the plans compete for.
    public let budget: MemoryBudget
    /// The steps of the ladder, best first; empty for sound and movies.
    public let steps: [Step]
    /// The predicted peak of the chosen step, decoded by one thread, or of passing media through; nil if
    /// no step fits.
    public let predictedPeak: ByteCount?

    package init(
        _ content: Content, within budget: MemoryBudget, steps: [Step] = [],
        predictedPeak: ByteCount?
    ) {
        self.content = content
        self.budget = budget
        self.steps = steps
        self.predictedPeak = predictedPeak
    }
}
