/// An image before its inverse transforms (RFC 9649, section 3.7), decoded once from top to bottom.
struct EntropyCodedImage {
    let width: Int
    let height: Int

    let source: BitSource
    let codes: PrefixCodeGroups
    let blocks: EntropyBlocks?
    let cache: ColourCache?
    let layout: RingLayout
    let ring: PixelRing
    let fill: UInt32
    var position = 0
    var pending = (distance: 0, count: 0)

    struct Limits {
        var pixelBytes: Int
        /// Empty cache entries, which are transparent, are then unused.
        var isOpaque: Bool
        var scratch: ScratchSpace?
    }

    /// Only the main image may have several groups of codes.
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
            throw source.fault(.limit, "its pixels have more channels than its header says")
        }
        ring = try PixelRing(pixels: width * height, layout: layout, scratch: limits.scratch)
    }

    /// Only large images need `scratch`.
    init(
        nestedIn source: BitSource, width: Int, height: Int, scratch: ScratchSpace? = nil
    ) throws(DecodingFault) {
        try self.init(
            source, width: width, height: height,
            limits: Limits(pixelBytes: 4, isOpaque: false, scratch: scratch), isMain: false)
    }

    /// After a throw, no more rows can be read.
    mutating func readRow(into row: UnsafeMutablePointer<UInt32>) throws(DecodingFault) {
        // The loop is specialised for every pixel layout.
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
        let first = position
        try decodePixels(of: Pixel.self, upTo: first + width)
        guard !source.isExhausted else { throw source.endFault }
        PixelWindow<Pixel>(ring, fill: fill).read(from: first, count: width, into: row)
    }

    mutating func forEachPixel(_ body: (UInt32) -> Void) throws(DecodingFault) {
        let row = PixelRow(width: width)
        for _ in 0..<height {
            try readRow(into: row.pixels)
            for index in 0..<width { body(row.pixels[index]) }
        }
    }
}

extension LiteralChannels {
    /// Empty cache entries are zeros, so a cache may add a second value to a channel of an image
    /// that is not opaque.
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
