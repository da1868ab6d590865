import AttachmentContainer
public import AttachmentModel

/// Makes plans for Apple's ImageIO from a header and settings.
///
/// Pure arithmetic, like ``Planner``, whose sizes it shares. The demands are upper bounds of what the
/// codings force any decoder to hold, not measurements: nobody has run them on a device yet. They
/// are therefore conservative, and refuse pictures that ImageIO may well manage.
public struct ImageIOPlanner: Sendable {
    let sizes: Planner
    var settings: ProcessingSettings { sizes.settings }

    /// Creates a planner.
    ///
    /// - Parameter settings: The settings for the renditions; assumed valid.
    public init(settings: ProcessingSettings) { sizes = Planner(settings: settings) }

    /// Plans for one attachment with their memory demands, best first.
    ///
    /// The rungs are: full size in this process, at falling subsample factors; full size by Quick Look
    /// in a process of its own; reduced sizes in this process; the embedded preview.
    ///
    /// - Parameter header: The header facts; both sides are at least 1.
    /// - Returns: The ladder.
    public func ladder(_ header: AttachmentHeader) -> PlanLadder {
        let full = sizes.sizes(of: header.uprightSize)
        // Use of a PNG's alpha shows only after decoding; the PNG is displayable either way.
        let isReady = sizes.treatment(of: header, full, by: .imageIO) != .encode
        let treatment: Plan.Treatment = isReady ? .copy : .encode
        let first =
            treatment == .encode || !full.renditions.isEmpty ? full : banner(of: full)
        var plans = inProcess(header, full, decoding: first, treatment)
        if treatment == .encode {
            plans.append(
                plan(header, full, factor: 1, treatment, rung: .outOfProcess))
            for share in Planner.reductions {
                let reduced = full.scaled(by: share, sizes, of: header.uprightSize)
                guard reduced.coversBanner(settings) else { continue }
                plans += inProcess(header, reduced, decoding: reduced, treatment, share: share)
            }
            if let preview = preview(header) { plans.append(preview) }
        }
        return PlanLadder(steps: descending(plans))
    }

    /// Plans at each subsample factor that leaves enough pixels, the best first.
    private func inProcess(
        _ header: AttachmentHeader, _ sizes: Planner.Sizes, decoding target: Planner.Sizes,
        _ treatment: Plan.Treatment, share: Double = 1
    ) -> [Plan] {
        let stored = header.orientation.upright(target.reduced)
        let decoding = header.coding.imageIODecoding(of: header)
        let factors = Self.factors(of: header, to: stored)
        let isHeld = decoding.heldBytes > 0 || !decoding.isSubsampled
        let rung: Rung = share < 1 ? .reduced : isHeld ? .wholePicture : .streamed
        return factors.map { factor in
            plan(header, sizes, factor: factor, treatment, rung: rung, share: share)
        }
    }

    /// Subsample factors, best first.
    ///
    /// The first is the largest that leaves a reduction of 2 to the final scaling, as ImageIO's does
    /// not show then (assumed from libjpeg's: `Planner.finalRowReduction`). The others only leave
    /// enough pixels.
    static func factors(of header: AttachmentHeader, to stored: PixelSize) -> [Int] {
        guard header.coding.imageIODecoding(of: header).isSubsampled else { return [1] }
        let possible = [1, 2, 4, 8].filter { factor in
            header.storedSize.width / factor >= stored.width
                && header.storedSize.height / factor >= stored.height
        }
        let best =
            possible.last { factor in
                header.storedSize.width >= 2 * factor * stored.width
                    && header.storedSize.height >= 2 * factor * stored.height
            } ?? 1
        return possible.isEmpty ? [1] : possible.filter { $0 >= best }
    }

    private func plan(
        _ header: AttachmentHeader, _ sizes: Planner.Sizes, factor: Int,
        _ treatment: Plan.Treatment, rung: Rung, share: Double = 1
    ) -> Plan {
        Plan(
            header, settings.presets, at: sizes, loadShrink: factor, treatment: treatment,
            decoder: .library, engine: .imageIO, usesScratch: false, rung: rung,
            reduction: share)
    }

    private func preview(_ header: AttachmentHeader) -> Plan? {
        guard let preview = header.preview else { return nil }
        let sizes = sizes.sizes(
            of: header.orientation.upright(preview.size), original: header.uprightSize)
        return plan(header, sizes, factor: 1, .encode, rung: .preview)
    }

    /// A picture that is kept as it is is decoded for the banner alone.
    private func banner(of full: Planner.Sizes) -> Planner.Sizes {
        let covering = Planner.coveringSize(
            of: full.reduced, side: settings.bannerSideInPixels)
        return Planner.Sizes(
            reduced: covering, whole: covering, expanded: covering, renditions: [])
    }

    /// Drops steps on the same rung that take no less memory than one before.
    private func descending(_ plans: [Plan]) -> [PlanLadder.Step] {
        var steps: [PlanLadder.Step] = []
        for plan in plans {
            let step = PlanLadder.Step(plan: plan, demand: demand(of: plan), isSpacious: false)
            let isCheaper = steps.allSatisfy {
                $0.plan.rung == .outOfProcess || step.demand.total < $0.demand.total
            }
            if isCheaper || step.plan.rung == .outOfProcess { steps.append(step) }
        }
        return steps
    }
}
