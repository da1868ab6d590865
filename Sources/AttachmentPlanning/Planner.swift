public import AttachmentContainer

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
            case .bounded: .bounded
            case .library: header.isHeldWhole ? .wholePicture : .streamed
            }
        return plan(
            header, at: expandedSize(of: header.uprightSize), rung: rung, reduction: 1,
            usesScratch: usesScratch, usesBox: usesBox)
    }

    /// Plans one attachment at a size.
    func plan(
        _ header: AttachmentHeader, at expanded: PixelSize, rung: Plan.Rung, reduction: Double,
        usesScratch: Bool, usesBox: Bool
    ) -> Plan {
        let stored = header.orientation.upright(expanded)
        let loadShrink =
            header.format == .jpeg ? Self.loadShrink(from: header.storedSize, to: stored) : 1
        return Plan(
            header: header,
            expandedSize: expanded,
            loadShrink: loadShrink,
            loadScale: header.format == .webp
                ? Self.loadScale(from: header.storedSize, to: stored) : 1,
            box: usesBox ? box(of: header, expanded, loadShrink) : .one,
            kernel: Self.kernel(from: header.storedSize, to: stored, loadShrink: loadShrink),
            treatment: treatment(of: header, expanded: expanded), decoder: decoder(of: header),
            usesScratch: usesScratch, rung: rung, reduction: reduction)
    }

    /// The largest size with the picture's proportions that keeps to the width, the render budget
    /// and the longest side; never larger than the picture.
    ///
    /// - Parameter upright: The size of the picture as seen, in pixels.
    /// - Returns: The size of the expanded rendition, in pixels; both sides are at least 1.
    public func expandedSize(of upright: PixelSize) -> PixelSize {
        let share = fittingShare(of: upright)
        var fitted = upright.scaled(by: share)
        // Rounding, and the floor of one pixel a side, can pass the budget by a row or a column.
        while fitted.decodedBytes > settings.renderBudget {
            fitted =
                fitted.width > fitted.height
                ? PixelSize(width: max(1, fitted.width - 1), height: fitted.height)
                : PixelSize(width: fitted.width, height: max(1, fitted.height - 1))
        }
        return fitted
    }

    /// The factor for both sides that fits a picture to the width, the render budget and the longest
    /// side; at most 1.
    func fittingShare(of upright: PixelSize) -> Double {
        let width = Double(upright.width)
        let height = Double(upright.height)
        let budgetedPixels = Double(settings.renderBudget.bytes) / 4
        return [
            1,
            Double(settings.widthInPixels) / width,
            Double(Self.longestSide) / max(width, height),
            (budgetedPixels / (width * height)).squareRoot(),
        ].reduce(1, min)
    }

    /// The longest side of a rendition, in pixels: the largest 2D texture that every iPhone with
    /// rich notifications takes (Metal Feature Set Tables, Apple A8 and earlier: 8192).
    public static let longestSide = 8192
}
