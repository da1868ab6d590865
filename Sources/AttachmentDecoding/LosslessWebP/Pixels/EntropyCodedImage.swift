/// A picture as its pixels are coded, before inverse transforms (RFC 9649, section 3.7).
///
/// It gives rows from top to bottom, once, and keeps what back-references may reach.
struct EntropyCodedImage {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int

    let source: BitSource
    let codes: PrefixCodeGroups
    /// Which group each block uses; nil when there is one.
    let blocks: EntropyBlocks?
    let cache: ColourCache?
    let layout: RingLayout
    let ring: PixelRing
    /// The channels that the ring does not keep.
    let fill: UInt32
    /// Pixels that are decoded.
    var place = 0
    /// The rest of a back-reference that goes on in the next row.
    var pending = (distance: 0, count: 0)

    /// What a picture may hold, and what its header has said of it.
    struct Limits {
        /// What a pixel of the ring may take, in bytes.
        var pixelBytes: Int
        /// Whether every pixel is known to be opaque, so that no empty place of the colour cache,
        /// which is transparent, is ever asked for.
        var isOpaque: Bool
        /// Where a long ring lies; nil for the heap.
        var scratch: ScratchSpace?

        /// Those of the pictures within a picture, whose pixels are of any kind.
        ///
        /// - Parameter scratch: Where a long ring lies. The default is nil, for those that never
        ///   have enough pixels.
        /// - Returns: The limits.
        static func inner(scratch: ScratchSpace? = nil) -> Limits {
            Limits(pixelBytes: 4, isOpaque: false, scratch: scratch)
        }
    }

    /// Reads what stands in front of the pixels.
    ///
    /// - Parameters:
    ///   - source: Where to read.
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - limits: What it may hold.
    ///   - isMain: Whether several groups of codes are possible, as in the picture itself and not
    ///     in those within it.
    /// - Throws: `corrupt`, `overCeiling`, `scratch`, `truncated`, `unreadable`.
    init(
        _ source: BitSource, width: Int, height: Int, limits: Limits, isMain: Bool
    ) throws(DecodingFault) {
        (self.width, self.height, self.source) = (width, height, source)
        cache = try ColourCache(source)
        blocks = isMain ? try EntropyBlocks(source, width: width, height: height) : nil
        codes = try PrefixCodeGroups(
            source, cacheBits: cache?.bits ?? 0, usage: blocks?.usage ?? .single)
        let kept = codes.literals.kept(hasCache: cache != nil, isOpaque: limits.isOpaque)
        (layout, fill) = (kept.layout, kept.fill)
        guard layout.bytes <= limits.pixelBytes else {
            throw source.fault(.overCeiling, "its pixels have more channels than its header says")
        }
        ring = try PixelRing(
            pixels: width * height, layout: layout, scratch: limits.scratch)
    }

    /// Decodes the next row.
    ///
    /// - Parameter row: Room for `width` pixels.
    /// - Throws: `corrupt`, `truncated`, `unreadable`; then no more rows can be read.
    mutating func readRow(into row: UnsafeMutablePointer<UInt32>) throws(DecodingFault) {
        // One loop is made for every kind of pixel.
        switch layout {
        case .green: try decodeRow(of: GreenPixel.self, into: row)
        case .greenAlpha: try decodeRow(of: GreenAlphaPixel.self, into: row)
        case .colour: try decodeRow(of: ColourPixel.self, into: row)
        case .full: try decodeRow(of: FullPixel.self, into: row)
        }
    }

    private mutating func decodeRow<Pixel: RingPixel>(
        of _: Pixel.Type, into row: UnsafeMutablePointer<UInt32>
    ) throws(DecodingFault) {
        let first = place
        try decodePixels(of: Pixel.self, upTo: first + width)
        guard !source.isExhausted else { throw source.ending }
        PixelWindow<Pixel>(ring, fill: fill).read(from: first, count: width, into: row)
    }

    /// Decodes a small picture whole.
    ///
    /// - Parameter body: Gets every pixel in order.
    /// - Throws: `corrupt`, `truncated`, `unreadable`.
    mutating func forEachPixel(_ body: (UInt32) -> Void) throws(DecodingFault) {
        let row = PixelRow(width: width)
        for _ in 0..<height {
            try readRow(into: row.pixels)
            for index in 0..<width { body(row.pixels[index]) }
        }
    }
}

extension LiteralChannels {
    /// Which channels a ring must keep.
    ///
    /// - Parameters:
    ///   - hasCache: Whether there is a colour cache. Its empty places are zeros, so that a channel
    ///     with another constant may have two values.
    ///   - isOpaque: Whether empty places are known not to be asked for.
    /// - Returns: How pixels are kept, and the channels that are not.
    fileprivate func kept(hasCache: Bool, isOpaque: Bool) -> (layout: RingLayout, fill: UInt32) {
        func constant(_ channel: Channel) -> UInt32? {
            channel.value.flatMap { $0 == 0 || !hasCache || isOpaque ? $0 : nil }
        }
        let alphaFill = constant(alpha).map { $0 << 24 }
        if let red = constant(red), let blue = constant(blue) {
            let colourFill = red << 16 | blue
            return alphaFill.map { (.green, $0 | colourFill) } ?? (.greenAlpha, colourFill)
        }
        return alphaFill.map { (.colour, $0) } ?? (.full, 0)
    }
}
