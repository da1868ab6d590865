import AttachmentContainer
import AttachmentModel

/// Memory demand of ImageIO's steps, from the header alone.
///
/// Not measured on a device: every term is an upper bound of what a step has to hold.
extension ImageIOPlanner {
    /// Demand of a plan in addition to the baseline.
    func demand(of plan: Plan) -> MemoryDemand {
        let source = plan.decodedHeader
        let isKept = plan.treatment != .encode && plan.renditions.isEmpty
        let covering = pixels(
            Planner.coveringSize(of: plan.expandedSize, side: settings.bannerSideInPixels))
        let thumbnail = Self.pixel * (isKept ? covering : pixels(plan.reducedSize))
        let decoded = decoded(plan)
        let drawn = thumbnail * 2
        let encoding = encoding(plan, thumbnail: thumbnail, covering: covering)
        return MemoryDemand([
            ("frameworks", Self.frameworks),
            ("picture in the decoder", decoded),
            ("thumbnail", thumbnail),
            // The decoder's picture is freed before the thumbnail is drawn and encoded.
            ("drawing and encoding", max(drawn, encoding) - decoded - thumbnail),
            ("colour conversion", source.profileBytes > 0 ? Self.conversion : 0),
        ])
    }

    /// The picture and its crop, with a smaller attempt for the byte ceiling and its file, or with
    /// the banner's pictures and file.
    private func encoding(_ plan: Plan, thumbnail: Double, covering: Double) -> Double {
        let file =
            plan.decodedHeader.hasAlpha ? Self.encodedPNGPixel : Self.encodedJPEGPixel
        let expanded = plan.treatment == .encode ? pixels(plan.expandedSize) : 0
        let crop = plan.isCropped ? Self.pixel * expanded : 0
        let whole = plan.isReducedTwice ? Self.pixel * pixels(plan.wholeSize) : 0
        let content =
            crop + whole
            + max(
                (Self.smallerAttempt * Self.pixel + file) * expanded,
                (2 * Self.pixel + file) * covering)
        // Beside the pictures of the expanded rendition and the banner, which may still be there.
        let others = plan.renditions.map { rendition in
            ((1 + Self.smallerAttempt) * Self.pixel + file) * pixels(rendition.size)
        }
        let most = others.reduce(0, max)
        return thumbnail
            + (most > 0 ? max(content, crop + whole + Self.pixel * covering + most) : content)
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

    /// Pixels of the second attempt for a byte ceiling: four fifths of both sides.
    private static let smallerAttempt = 0.64

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
