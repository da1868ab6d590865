/// Facts of a sequence header that frames depend on (AV1 bitstream specification, 5.5).
struct AV1SequenceHeader {
    /// Payload bytes that are enough to read any sequence header: 32 operating points take about
    /// 420.
    static let longestPayload = 512

    /// How long the fields of the decoder model are, and the operating points that have one.
    struct DecoderModel {
        var delayBits = 0
        var removalBits = 0
        var presentationBits = 0
        /// operating_point_idc of those points.
        var operatingPoints: [Int] = []
    }

    /// Whether it is a reduced still picture header.
    private(set) var isReduced = false
    /// The decoder model; nil without one.
    private(set) var decoderModel: DecoderModel?
    /// Whether pictures follow each other in equal intervals.
    private(set) var hasEqualIntervals = false
    /// Bits of a frame's width.
    private(set) var widthBits = 0
    /// Bits of a frame's height.
    private(set) var heightBits = 0
    /// The largest width of a frame, in pixels.
    private(set) var width = 0
    /// The largest height of a frame, in pixels.
    private(set) var height = 0
    /// Bits of a frame's number; 0 where frames have none.
    private(set) var frameNumberBits = 0
    /// Whether superblocks have sides of 128 pixels instead of 64.
    private(set) var hasLargeBlocks = false
    /// Whether screen content tools are allowed; nil where each frame says so.
    private(set) var screenContentTools: Bool?
    /// Whether motion vectors are integers; nil where each frame says so.
    private(set) var integerMotion: Bool?
    /// Bits of a frame's place in the order of output; 0 where frames have none.
    private(set) var orderHintBits = 0
    /// Whether frames may be coded narrower than they are shown.
    private(set) var hasSuperResolution = false
    /// Bits of a sample.
    private(set) var bitsPerSample = 8
    /// Whether there is luma only.
    private(set) var isMonochrome = false
    /// Luma to chroma sampling as in `4:2:0`; nil for luma only.
    private(set) var chromaSubsampling: String?
    /// Whether both chroma planes have quantizers of their own.
    private(set) var hasSeparateChromaQuantizers = false

    /// Reads a header; nil where it ends early.
    ///
    /// - Parameter payload: The payload of the OBU, or its first `longestPayload` bytes.
    init?(_ payload: [UInt8]) {
        var bits = AV1Bits(payload)
        let profile = bits.bits(3)
        bits.skip(1)
        isReduced = bits.flag()
        if isReduced { bits.skip(5) } else { readOperatingPoints(&bits) }
        widthBits = bits.bits(4) + 1
        heightBits = bits.bits(4) + 1
        width = bits.bits(widthBits) + 1
        height = bits.bits(heightBits) + 1
        if !isReduced, bits.flag() {
            let difference = bits.bits(4) + 2
            frameNumberBits = bits.bits(3) + 1 + difference
        }
        hasLargeBlocks = bits.flag()
        // enable_filter_intra and enable_intra_edge_filter.
        bits.skip(2)
        if !isReduced { readTools(&bits) }
        hasSuperResolution = bits.flag()
        // enable_cdef and enable_restoration.
        bits.skip(2)
        readColours(&bits, profile: profile)
        guard !bits.isOverrun else { return nil }
    }

    private mutating func readOperatingPoints(_ bits: inout AV1Bits) {
        if bits.flag() {
            bits.skip(64)
            hasEqualIntervals = bits.flag()
            if hasEqualIntervals { _ = bits.variableLength() }
            if bits.flag() {
                let delay = bits.bits(5) + 1
                bits.skip(32)
                let removal = bits.bits(5) + 1
                decoderModel = DecoderModel(
                    delayBits: delay, removalBits: removal, presentationBits: bits.bits(5) + 1)
            }
        }
        let hasDelays = bits.flag()
        for _ in 0...bits.bits(5) {
            let point = bits.bits(12)
            // seq_level_idx, and seq_tier of levels from 4.0 on.
            if bits.bits(5) > 7 { bits.skip(1) }
            if let model = decoderModel, bits.flag() {
                bits.skip(2 * model.delayBits + 1)
                decoderModel?.operatingPoints.append(point)
            }
            if hasDelays, bits.flag() { bits.skip(4) }
        }
    }

    private mutating func readTools(_ bits: inout AV1Bits) {
        // enable_interintra_compound to enable_dual_filter.
        bits.skip(4)
        let hasOrderHints = bits.flag()
        if hasOrderHints { bits.skip(2) }
        screenContentTools = bits.flag() ? nil : bits.flag()
        if screenContentTools != false { integerMotion = bits.flag() ? nil : bits.flag() }
        if hasOrderHints { orderHintBits = bits.bits(3) + 1 }
    }

    /// Reads color_config (5.5.2).
    private mutating func readColours(_ bits: inout AV1Bits, profile: Int) {
        let isDeep = bits.flag()
        bitsPerSample = isDeep ? (profile == 2 && bits.flag() ? 12 : 10) : 8
        isMonochrome = profile != 1 && bits.flag()
        var colours = (2, 2, 2)
        if bits.flag() { colours = (bits.bits(8), bits.bits(8), bits.bits(8)) }
        guard !isMonochrome else { return bits.skip(1) }
        chromaSubsampling = "4:4:4"
        // sRGB with the identity matrix is 4:4:4 of full range.
        if colours != (1, 13, 0) {
            bits.skip(1)
            var halvings = (profile != 1, profile == 0)
            if profile == 2, bitsPerSample == 12 {
                halvings.0 = bits.flag()
                halvings.1 = halvings.0 && bits.flag()
            }
            chromaSubsampling = !halvings.0 ? "4:4:4" : halvings.1 ? "4:2:0" : "4:2:2"
            if halvings.0, halvings.1 { bits.skip(2) }
        }
        hasSeparateChromaQuantizers = bits.flag()
    }
}
