import AttachmentContainer

/// Turns a header and settings into a plan.
///
/// Pure arithmetic: it reads nothing and never fails.
public struct Planner: Sendable {
    /// What the caller asks of the renditions.
    public let settings: ProcessingSettings
    /// Whether the process can keep large blocks that libraries ask the heap for in scratch files.
    public let placesLargeBlocks: Bool

    /// Whether workers of ours can: those that are built with glibc.
    public static let workersPlaceLargeBlocks: Bool = {
        #if os(Linux) && canImport(Glibc)
            true
        #else
            false
        #endif
    }()

    /// Makes a planner.
    ///
    /// - Parameters:
    ///   - settings: What the caller asks of the renditions; assumed valid.
    ///   - placesLargeBlocks: Whether the process can keep large blocks that libraries ask the heap
    ///     for in scratch files, as workers do on Linux. The default is no.
    public init(settings: ProcessingSettings, placesLargeBlocks: Bool = false) {
        self.settings = settings
        self.placesLargeBlocks = placesLargeBlocks && settings.maximumScratchBytes.bytes > 0
    }

    /// Plans one attachment at full size.
    ///
    /// - Parameters:
    ///   - header: What the probe learnt; both sides are at least 1.
    ///   - usesScratch: Whether what is held whole is to lie in a scratch file, which costs time. The
    ///     default is nil: only where nothing else is sensible.
    ///   - usesBox: Whether large reductions begin with a box filter, which takes less memory and
    ///     more time. The default is yes.
    /// - Returns: The plan.
    public func plan(
        _ header: AttachmentHeader, usesScratch: Bool? = nil, usesBox: Bool = true
    ) -> Plan {
        let usesScratch = usesScratch ?? needsScratch(header)
        let rung: Plan.Rung =
            switch decoder(of: header) {
            case _ where usesScratch: .fileBacked
            case .bounded, .animation: .bounded
            case .library: header.isHeldWhole ? .wholePicture : .streamed
            }
        return plan(
            header, at: sizes(of: header.uprightSize), rung: rung, reduction: 1,
            usesScratch: usesScratch, usesBox: usesBox)
    }

    /// Plans one attachment at given sizes.
    func plan(
        _ header: AttachmentHeader, at sizes: Sizes, rung: Plan.Rung, reduction: Double,
        usesScratch: Bool, usesBox: Bool
    ) -> Plan {
        let stored = header.orientation.upright(sizes.reduced)
        let loadShrink =
            header.format == .jpeg ? Self.loadShrink(from: header.storedSize, to: stored) : 1
        return Plan(
            header: header,
            reducedSize: sizes.reduced,
            expandedSize: sizes.expanded,
            loadShrink: loadShrink,
            loadScale: header.format == .webp
                ? Self.loadScale(from: header.storedSize, to: stored) : 1,
            box: usesBox ? box(of: header, sizes.reduced, loadShrink) : .one,
            kernel: Self.kernel(from: header.storedSize, to: stored, loadShrink: loadShrink),
            treatment: treatment(of: header, sizes), decoder: decoder(of: header),
            animationSize: nil, usesScratch: usesScratch, rung: rung, reduction: reduction)
    }
}
