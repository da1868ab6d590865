import AttachmentContainer
public import AttachmentModel

extension Planner {
    /// Plans for one attachment with their memory demands, best first.
    ///
    /// - Parameter header: The header facts; both sides are at least 1.
    /// - Returns: The ladder.
    public func ladder(_ header: AttachmentHeader) -> PlanLadder {
        if canConvertAnimation(header) {
            return PlanLadder(steps: animationSteps(header) + stillSteps(header))
        }
        let full = plan(header)
        var plans = [full]
        if full.treatment != .copy || !full.renditions.isEmpty {
            if full.treatment == .turn {
                var encoded = header
                encoded.mustBeEncoded = true
                plans.append(plan(encoded))
            }
            if full.engine == .libvips, !full.usesScratch, hasScratch {
                plans.append(plan(header, usesScratch: true))
            }
            plans += Self.reductions.compactMap { reduced(full, by: $0) }
        }
        if let preview = previewPlan(header) { plans.append(preview) }
        var steps = plans.map { step($0) }
        // Without data held whole, a scratch file gains nothing.
        if let index = steps.firstIndex(where: { $0.plan.rung == .fileBacked }), index > 0,
            steps[index].demand.total == steps[index - 1].demand.total
        {
            steps.remove(at: index)
        }
        if full.treatment == .encode, full.box != .one {
            steps.insert(step(plan(header, usesBox: false), isSpacious: true), at: 0)
        }
        return PlanLadder(steps: steps)
    }

    /// Steps for the still picture of an animation's file, without decoding the animation.
    private func stillSteps(_ header: AttachmentHeader) -> [PlanLadder.Step] {
        header.still.map { ladder($0).steps } ?? []
    }

    func step(_ plan: Plan, isSpacious: Bool = false) -> PlanLadder.Step {
        PlanLadder.Step(plan: plan, demand: demand(of: plan), isSpacious: isSpacious)
    }

    /// Side factors of reduced renditions.
    ///
    /// Finer steps would save less memory than the prediction's uncertainty.
    static let reductions = [0.75, 0.5, 0.375, 0.25]

    private func reduced(_ full: Plan, by share: Double) -> Plan? {
        let sizes = sizes(of: full.header.uprightSize)
            .scaled(by: share, self, of: full.header.uprightSize)
        guard sizes.coversBanner(settings) else { return nil }
        return plan(
            full.header, at: sizes, rung: .reduced, reduction: share,
            usesScratch: full.engine == .libvips ? hasScratch : full.usesScratch,
            usesBox: true)
    }

    private func previewPlan(_ header: AttachmentHeader) -> Plan? {
        guard let preview = header.preview else { return nil }
        let sizes = sizes(
            of: header.orientation.upright(preview.size), original: header.uprightSize)
        return Plan(
            header, settings.presets, at: sizes,
            decoder: preview.bytes == nil ? decoder(of: header) : .library, engine: .libvips,
            usesScratch: hasScratch, rung: .preview)
    }
}
