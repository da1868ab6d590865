/// Facts of a sequence header that frames depend on (AV1 bitstream specification, 5.5).
struct AV1SequenceHeader {
    /// Sufficient payload bytes for any sequence header: 32 operating points take about 420.
    static let longestPayload = 512

    struct DecoderModel {
        let delayBits: Int
        let removalBits: Int
        let presentationBits: Int
        /// operating_point_idc of the points with a decoder model.
        var operatingPoints: [Int] = []
    }

    /// reduced_still_picture_header.
    private(set) var isReduced = false
    private(set) var decoderModel: DecoderModel?
    private(set) var hasEqualIntervals = false
    private(set) var widthBits = 0
    private(set) var heightBits = 0
    private(set) var width = 0
    private(set) var height = 0
    private(set) var frameNumberBits = 0
    private(set) var hasLargeBlocks = false
    private(set) var screenContentTools: Bool?
    /// Integer motion vectors; nil if chosen per frame.
    private(set) var integerMotion: Bool?
    private(set) var orderHintBits = 0
    /// enable_superres: frames may be coded narrower than they are displayed.
    private(set) var hasSuperResolution = false
    private(set) var bitsPerSample = 8
    private(set) var isMonochrome = false
    private(set) var chromaSubsampling: ChromaSubsampling?
    private(set) var hasSeparateChromaQuantizers = false
    /// Code point 2 where they are unspecified.
    private(set) var colours = CodedColours(
        primaries: 2, transfer: 2, matrix: 2, isFullRange: false)

    init?(_ payload: [UInt8]) {
        var bits = SyntaxBits(obu: payload)
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

    private mutating func readOperatingPoints(_ bits: inout SyntaxBits) {
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

    private mutating func readTools(_ bits: inout SyntaxBits) {
        // enable_interintra_compound to enable_dual_filter.
        bits.skip(4)
        let hasOrderHints = bits.flag()
        if hasOrderHints { bits.skip(2) }
        screenContentTools = bits.flag() ? nil : bits.flag()
        if screenContentTools != false { integerMotion = bits.flag() ? nil : bits.flag() }
        if hasOrderHints { orderHintBits = bits.bits(3) + 1 }
    }

    private mutating func readColours(_ bits: inout SyntaxBits, profile: Int) {
        let isDeep = bits.flag()
        bitsPerSample = isDeep ? (profile == 2 && bits.flag() ? 12 : 10) : 8
        isMonochrome = profile != 1 && bits.flag()
        if bits.flag() {
            colours.primaries = bits.bits(8)
            colours.transfer = bits.bits(8)
            colours.matrix = bits.bits(8)
        }
        // sRGB with the identity matrix is always 4:4:4, full range.
        let isIdentity = (colours.primaries, colours.transfer, colours.matrix) == (1, 13, 0)
        colours.isFullRange = isIdentity && !isMonochrome ? true : bits.flag()
        guard !isMonochrome else { return }
        chromaSubsampling = .yCbCr444
        if !isIdentity {
            var halvings = (profile != 1, profile == 0)
            if profile == 2, bitsPerSample == 12 {
                halvings.0 = bits.flag()
                halvings.1 = halvings.0 && bits.flag()
            }
            chromaSubsampling = !halvings.0 ? .yCbCr444 : halvings.1 ? .yCbCr420 : .yCbCr422
            if halvings.0, halvings.1 { bits.skip(2) }
        }
        hasSeparateChromaQuantizers = bits.flag()
    }
}
