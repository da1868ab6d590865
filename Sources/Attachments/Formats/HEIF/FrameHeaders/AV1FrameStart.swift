internal import AttachmentContainer

/// Facts of a key frame header that determine memory (AV1 bitstream specification, 5.9.2).
struct AV1FrameStart {
    let tiles: Int
    let isSegmented: Bool
    let size: PixelSize

    /// Sufficient payload bytes for any header: 64 tile columns and rows take about 100.
    static let longestPayload = 256

    init?(_ payload: [UInt8], of unit: AV1UnitHeader, sequence: AV1SequenceHeader) {
        var bits = SyntaxBits(obu: payload)
        var isShown = true
        if !sequence.isReduced {
            // show_existing_frame, frame_type: 0 is a key frame.
            guard !bits.flag(), bits.bits(2) == 0 else { return nil }
            isShown = bits.flag()
            if isShown, let model = sequence.decoderModel, !sequence.hasEqualIntervals {
                bits.skip(model.presentationBits)
            }
            // showable_frame and error_resilient_mode.
            if !isShown { bits.skip(2) }
        }
        let keepsTables = bits.flag()
        let allowsScreenContent = sequence.screenContentTools ?? bits.flag()
        if allowsScreenContent, sequence.integerMotion == nil { bits.skip(1) }
        bits.skip(sequence.frameNumberBits)
        let hasSize = !sequence.isReduced && bits.flag()
        bits.skip(sequence.orderHintBits)
        if let model = sequence.decoderModel, bits.flag() {
            Self.skipRemovalTimes(&bits, unit, model)
        }
        // refresh_frame_flags, followed by order hints of the frames not refreshed.
        if !isShown, bits.bits(8) != 0xFF, sequence.orderHintBits > 0 { return nil }
        // frame_size and superres_params (5.9.5 and 5.9.8).
        var (width, height) = (sequence.width, sequence.height)
        if hasSize {
            width = bits.bits(sequence.widthBits) + 1
            height = bits.bits(sequence.heightBits) + 1
        }
        size = PixelSize(width: width, height: height)
        let isScaled = sequence.hasSuperResolution && bits.flag()
        if isScaled {
            let denominator = bits.bits(3) + 9
            width = (width * 8 + denominator / 2) / denominator
        }
        // render_size.
        if bits.flag() { bits.skip(32) }
        if allowsScreenContent, !isScaled { bits.skip(1) }
        if !sequence.isReduced, !keepsTables { bits.skip(1) }
        tiles = AV1Tiles.count(
            &bits, width: width, height: height, hasLargeBlocks: sequence.hasLargeBlocks)
        Self.skipQuantization(&bits, sequence)
        isSegmented = bits.flag()
        guard !bits.isOverrun else { return nil }
    }

    private static func skipRemovalTimes(
        _ bits: inout SyntaxBits, _ unit: AV1UnitHeader, _ model: AV1SequenceHeader.DecoderModel
    ) {
        for point in model.operatingPoints {
            let isIn =
                point >> unit.temporalLayer & 1 == 1 && point >> (unit.spatialLayer + 8) & 1 == 1
            if point == 0 || isIn { bits.skip(model.removalBits) }
        }
    }

    /// Skips quantization_params (5.9.12).
    private static func skipQuantization(_ bits: inout SyntaxBits, _ sequence: AV1SequenceHeader) {
        func skipDelta() { if bits.flag() { bits.skip(7) } }
        bits.skip(8)
        skipDelta()
        let isSeparate = sequence.hasSeparateChromaQuantizers
        if !sequence.isMonochrome {
            let differs = isSeparate && bits.flag()
            for _ in 0..<(differs ? 4 : 2) { skipDelta() }
        }
        if bits.flag() { bits.skip(isSeparate ? 12 : 8) }
    }
}
