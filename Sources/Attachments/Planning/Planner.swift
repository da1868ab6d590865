import AttachmentContainer
public import AttachmentModel

/// Makes plans from a header and settings.
///
/// Pure arithmetic: it reads no file and never fails.
public struct Planner: Sendable {
    /// Settings for the renditions.
    public let settings: ProcessingSettings
    /// True if the process can place large heap blocks of libraries in scratch files.
    public let placesLargeBlocks: Bool

    let decoders: BuiltInDecoders

    /// True if this build's workers place large blocks, which requires glibc.
    public static let workersPlaceLargeBlocks: Bool = {
        #if os(Linux) && canImport(Glibc)
            true
        #else
            false
        #endif
    }()

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - settings: The settings for the renditions; assumed valid.
    ///   - placesLargeBlocks: True if the process can place large heap blocks of libraries in
    ///     scratch files, as workers do on Linux. The default is false.
    public init(settings: ProcessingSettings, placesLargeBlocks: Bool = false) {
        self.init(settings: settings, placesLargeBlocks: placesLargeBlocks, decoders: .built)
    }

    /// Creates a planner for a build with certain decoders.
    package init(
        settings: ProcessingSettings, placesLargeBlocks: Bool = false, decoders: BuiltInDecoders
    ) {
        self.settings = settings
        self.decoders = decoders
        self.placesLargeBlocks = placesLargeBlocks && settings.maximumScratchBytes.bytes > 0
    }

    /// Plans one attachment at full size.
    ///
    /// - Parameters:
    ///   - header: The header facts; both sides are at least 1.
    ///   - usesScratch: True to keep data held whole in a scratch file, which costs time. The
    ///     default is nil: only where memory is unsuitable.
    ///   - usesBox: True to begin large reductions with a box filter, which takes less memory and
    ///     more time. The default is true.
    /// - Returns: The plan.
    public func plan(
        _ header: AttachmentHeader, usesScratch: Bool? = nil, usesBox: Bool = true
    ) -> Plan {
        let sizes = sizes(of: header.uprightSize)
        let engine = engine(for: header)
        let usesScratch =
            usesScratch
            ?? (needsScratch(header) || engine == .rows && rowsUseScratch(header, sizes))
        let rung: Rung =
            switch decoder(of: header) {
            case _ where engine == .libvips && usesScratch: .fileBacked
            case .bounded where needsScratch(header): .fileBacked
            case .bounded, .animation: .bounded
            case .library: header.coding.isHeldWhole(header) ? .wholePicture : .streamed
            }
        return plan(
            header, at: sizes, rung: rung, reduction: 1, usesScratch: usesScratch, usesBox: usesBox)
    }

    func plan(
        _ header: AttachmentHeader, at sizes: Sizes, rung: Rung, reduction: Double,
        usesScratch: Bool, usesBox: Bool
    ) -> Plan {
        let stored = header.orientation.upright(sizes.reduced)
        let engine = engine(for: header)
        let loadShrink =
            engine == .rows
            ? rowShrink(of: header, to: stored)
            : Self.loadShrink(of: header, to: stored, isLinear: settings.isLinear)
        return Plan(
            header, settings.presets, at: sizes,
            loadShrink: loadShrink,
            loadScale: Self.loadScale(of: header, to: stored, isLinear: settings.isLinear),
            box: usesBox && engine == .libvips ? box(of: header, sizes.reduced, loadShrink) : .one,
            kernel: engine == .rows
                ? .lanczos3
                : Self.kernel(from: header.storedSize, to: stored, loadShrink: loadShrink),
            treatment: treatment(of: header, sizes, by: engine), decoder: decoder(of: header),
            engine: engine, usesScratch: usesScratch, rung: rung, reduction: reduction)
    }
}
