internal import AttachmentContainer

/// Facts of a key frame header that determine memory (AV1 bitstream specification, 5.9.2).
///
/// dav1d keeps probability tables per tile, of which a frame may have 4096.
struct AV1FrameStart {
    let tiles: Int
    let isSegmented: Bool
    let size: PixelSize

    /// Sufficient payload bytes for any header: 64 tile columns and rows take about 100.
    static let longestPayload = 256

    /// Parses a frame header from the start of an OBU's payload; nil if invalid or not a key frame.
    init?(_ payload: [UInt8], of unit: AV1UnitHeader, sequence: AV1SequenceHeader) {
        var bits = AV1Bits(payload)
        guard let flags = Flags(&bits, unit, sequence) else { return nil }
        let size = Self.codedSize(&bits, flags, sequence)
        self.size = PixelSize(width: size.upscaledWidth, height: size.height)
        // render_size.
        if bits.flag() { bits.skip(32) }
        if flags.allowsScreenContent, !size.isScaled { bits.skip(1) }
        if !flags.isReduced, !flags.keepsTables { bits.skip(1) }
        tiles = AV1Tiles.count(
            &bits, width: size.width, height: size.height, hasLargeBlocks: sequence.hasLargeBlocks)
        Self.skipQuantization(&bits, sequence)
        isSegmented = bits.flag()
        guard !bits.isOverrun else { return nil }
    }

    /// Fields before the size.
    private struct Flags {
        var isReduced = false
        var keepsTables = false
        var allowsScreenContent = false
        var hasSize = false

        init?(_ bits: inout AV1Bits, _ unit: AV1UnitHeader, _ sequence: AV1SequenceHeader) {
            isReduced = sequence.isReduced
            var isShown = true
            if !isReduced {
                // show_existing_frame, frame_type: 0 is a key frame.
                guard !bits.flag(), bits.bits(2) == 0 else { return nil }
                isShown = bits.flag()
                if isShown, let model = sequence.decoderModel, !sequence.hasEqualIntervals {
                    bits.skip(model.presentationBits)
                }
                // showable_frame and error_resilient_mode.
                if !isShown { bits.skip(2) }
            }
            keepsTables = bits.flag()
            allowsScreenContent = Self.choice(sequence.screenContentTools, &bits)
            if allowsScreenContent { _ = Self.choice(sequence.integerMotion, &bits) }
            bits.skip(sequence.frameNumberBits)
            if !isReduced { hasSize = bits.flag() }
            bits.skip(sequence.orderHintBits)
            if let model = sequence.decoderModel, bits.flag() {
                Self.skipRemovalTimes(&bits, unit, model)
            }
            // refresh_frame_flags, followed by order hints of the frames not refreshed.
            if !isShown, bits.bits(8) != 0xFF, sequence.orderHintBits > 0 {
                return nil
            }
        }

        /// Value from the sequence header, or from the frame if the sequence leaves it open.
        private static func choice(_ setting: Bool?, _ bits: inout AV1Bits) -> Bool {
            setting ?? bits.flag()
        }

        private static func skipRemovalTimes(
            _ bits: inout AV1Bits, _ unit: AV1UnitHeader, _ model: AV1SequenceHeader.DecoderModel
        ) {
            for point in model.operatingPoints {
                let isIn =
                    point >> unit.temporalLayer & 1 == 1
                    && point >> (unit.spatialLayer + 8) & 1 == 1
                if point == 0 || isIn { bits.skip(model.removalBits) }
            }
        }
    }

    /// Reads frame_size and superres_params (5.9.5 and 5.9.8).
    private static func codedSize(
        _ bits: inout AV1Bits, _ flags: Flags, _ sequence: AV1SequenceHeader
    ) -> (width: Int, upscaledWidth: Int, height: Int, isScaled: Bool) {
        var width = sequence.width
        var height = sequence.height
        if flags.hasSize {
            width = bits.bits(sequence.widthBits) + 1
            height = bits.bits(sequence.heightBits) + 1
        }
        guard sequence.hasSuperResolution, bits.flag() else { return (width, width, height, false) }
        let denominator = bits.bits(3) + 9
        return ((width * 8 + denominator / 2) / denominator, width, height, true)
    }

    /// Skips quantization_params (5.9.12).
    private static func skipQuantization(
        _ bits: inout AV1Bits, _ sequence: AV1SequenceHeader
    ) {
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
