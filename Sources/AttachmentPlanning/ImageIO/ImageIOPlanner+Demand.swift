import AttachmentContainer
import AttachmentModel

/// Memory demand of ImageIO's steps, from the header alone.
///
/// Not measured on a device. Every term is an upper bound of what the step has to hold, and all are
/// added up, though the first ones are freed before the last are allocated.
extension ImageIOPlanner {
    /// Demand of a plan in addition to the baseline.
    func demand(of plan: Plan) -> MemoryDemand {
        let source = plan.decodedHeader
        let isKept = plan.treatment != .encode
        let covering = pixels(
            Planner.coveringSize(
                of: plan.expandedSize, side: sizes.settings.bannerSideInPixels))
        let thumbnail = isKept ? covering : pixels(plan.reducedSize)
        let expanded = isKept ? 0 : pixels(plan.expandedSize)
        let encodedPixel = source.hasAlpha ? Self.encodedPNGPixel : Self.encodedJPEGPixel
        return MemoryDemand([
            ("frameworks", Self.frameworks),
            ("picture in the decoder", decoded(plan)),
            ("thumbnail", Self.pixel * thumbnail),
            ("picture in the rendition's colours", Self.pixel * expanded),
            ("encoded rendition", encodedPixel * max(expanded, covering)),
            ("banner", 2 * Self.pixel * covering),
            ("colour conversion", source.profileBytes > 0 ? Self.conversion : 0),
        ])
    }

    /// Pictures that Quick Look decodes are in its process.
    private func decoded(_ plan: Plan) -> Double {
        guard plan.rung != .outOfProcess else { return 0 }
        let source = plan.decodedHeader
        let stored = pixels(source.codedSize)
        let decoding = source.coding.imageIODecoding(of: source)
        let factor = Double(decoding.isSubsampled ? plan.loadShrink : 1)
        let pixel = Self.pixel * (source.bitsPerSample > 8 ? 2 : 1)
        return stored * (decoding.heldBytes + pixel / (factor * factor))
    }

    private func pixels(_ size: PixelSize) -> Double {
        Double(size.width) * Double(size.height)
    }

    /// Bytes of a pixel in Core Graphics: four channels, also for opaque and grey pictures.
    private static let pixel = 4.0

    /// Written data of ImageIO, Core Graphics, ColorSync and the codecs, with their caches and the
    /// threads that they start; an assumption.
    private static let frameworks = 4_000_000.0

    /// Upper bound of a JPEG's bytes per pixel at quality 100, in memory before they are written.
    private static let encodedJPEGPixel = 3.0

    /// Bytes per pixel of a PNG that does not compress, with its filter bytes.
    private static let encodedPNGPixel = 4.1

    /// ColorSync's tables between two profiles, as Little CMS's with a margin.
    private static let conversion = 1_600_000.0
}
