import AttachmentContainer
internal import AttachmentFormats
package import AttachmentModel
internal import AttachmentPlanning

extension AttachmentRenderer {
    /// Reads an attachment's header and plans it as ``render(_:)`` would now.
    ///
    /// It decodes nothing and takes no grant, so the process stays cold.
    package func inspect(_ file: AttachmentFile) throws(AttachmentError) -> InspectedAttachment {
        let budget = budget
        switch try probe(RenderRequest(file, to: .open([]))) {
        case .picture(let header):
            let ladder = try ladder(of: header, for: settings.presets, from: file.path)
            // If no step fits, the worker with libvips may have a decoder that this one lacks.
            let plan =
                ladder.step(within: budget)?.plan
                ?? (ladder.without(.libvips) == nil ? ladder.cheapest.plan : nil)
            if let plan, plan.engine == .libvips, fallback == nil {
                throw .needsLibvips(file.path, plan)
            }
            return InspectedAttachment(header, ladder, within: budget)
        case .media(let header):
            return InspectedAttachment(
                .media(header), within: budget,
                predictedPeak: MemoryDemand.passThrough.predictedPeak(in: budget))
        }
    }
}

extension InspectedAttachment {
    fileprivate init(_ header: AttachmentHeader, _ ladder: PlanLadder, within budget: MemoryBudget)
    {
        let chosen = ladder.step(within: budget)
        let steps = ladder.steps.map { step in
            let over = step.demand.total(in: budget).bytes - budget.work.bytes
            return Step(
                rung: step.plan.rung, engine: step.plan.engine, size: step.plan.expandedSize,
                animationSize: step.plan.animationSize, plan: step.plan.description,
                predictedPeak: step.predictedPeak(in: budget), terms: step.demand.terms,
                isChosen: step == chosen, over: over > 0 ? ByteCount(over) : nil,
                isSpacious: step.isSpacious)
        }
        self.init(
            .picture(PictureSummary(header)), within: budget, steps: steps,
            predictedPeak: chosen?.predictedPeak(in: budget))
    }
}
