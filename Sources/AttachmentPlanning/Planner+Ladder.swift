extension Planner {
    /// Lists the plans for one attachment, best first, with what each takes of memory.
    ///
    /// - Parameter header: What the probe learnt; both sides are at least 1.
    /// - Returns: The ladder.
    public func ladder(_ header: AttachmentHeader) -> Ladder {
        let full = plan(header)
        return Ladder(steps: [Ladder.Step(plan: full, demand: demand(of: full))])
    }

    func demand(of plan: Plan) -> MemoryDemand {
        MemoryDemand(["everything": 1_000_000])
    }
}
