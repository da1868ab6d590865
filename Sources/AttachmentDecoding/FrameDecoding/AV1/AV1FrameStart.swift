import CDav1d

/// What the header of a key frame says that decides on memory (AV1 bitstream specification, 5.9.2).
///
/// dav1d keeps the probability tables of each tile, of which there may be 4096.
struct AV1FrameStart {
    /// Into how many tiles the frame is cut.
    let tiles: Int
    /// Whether blocks belong to segments.
    let isSegmented: Bool

    /// Reads the header of a frame; nil when it breaks the rules, or is not of a key frame.
    ///
    /// - Parameters:
    ///   - unit: An OBU with the header of a frame.
    ///   - sequence: The sequence header.
    init?(_ unit: AV1Units.Unit, sequence: Dav1dSequenceHeader) {
        var bits = AV1Bits(unit.payload)
        guard let flags = Flags(&bits, unit, sequence) else { return nil }
        let size = Self.codedSize(&bits, flags, sequence)
        // render_size.
        if bits.flag() { bits.skip(32) }
        if flags.allowsScreenContent, !size.isScaled { bits.skip(1) }
        if !flags.isReduced, !flags.keepsTables { bits.skip(1) }
        tiles = AV1Tiles.count(
            &bits, width: size.width, height: size.height, hasLargeBlocks: sequence.sb128 != 0)
        Self.skipQuantization(&bits, sequence)
        isSegmented = bits.flag()
        guard !bits.isOverrun else { return nil }
    }

    /// What stands before the size.
    private struct Flags {
        var isReduced = false
        var keepsTables = false
        var allowsScreenContent = false
        var hasSize = false

        /// Reads it; nil when the frame is not a key frame.
        init?(_ bits: inout AV1Bits, _ unit: AV1Units.Unit, _ sequence: Dav1dSequenceHeader) {
            isReduced = sequence.reduced_still_picture_header != 0
            var isShown = true
            if !isReduced {
                // show_existing_frame, frame_type: 0 is a key frame.
                guard !bits.flag(), bits.bits(2) == 0 else { return nil }
                isShown = bits.flag()
                if isShown, sequence.decoder_model_info_present != 0,
                    sequence.equal_picture_interval == 0
                {
                    bits.skip(Int(sequence.frame_presentation_delay_length))
                }
                // showable_frame and error_resilient_mode.
                if !isShown { bits.skip(2) }
            }
            keepsTables = bits.flag()
            allowsScreenContent = Self.choice(sequence.screen_content_tools, &bits)
            if allowsScreenContent { _ = Self.choice(sequence.force_integer_mv, &bits) }
            if sequence.frame_id_numbers_present != 0 { bits.skip(Int(sequence.frame_id_n_bits)) }
            if !isReduced { hasSize = bits.flag() }
            if sequence.order_hint != 0 { bits.skip(Int(sequence.order_hint_n_bits)) }
            if sequence.decoder_model_info_present != 0, bits.flag() {
                Self.skipRemovalTimes(&bits, unit, sequence)
            }
            // refresh_frame_flags, and the order of what is not refreshed.
            if !isShown, bits.bits(8) != 0xFF, sequence.order_hint != 0 { return nil }
        }

        /// What the sequence decides, or leaves to the frame.
        private static func choice(
            _ setting: Dav1dAdaptiveBoolean, _ bits: inout AV1Bits
        ) -> Bool {
            setting == DAV1D_ADAPTIVE ? bits.flag() : setting == DAV1D_ON
        }

        private static func skipRemovalTimes(
            _ bits: inout AV1Bits, _ unit: AV1Units.Unit, _ sequence: Dav1dSequenceHeader
        ) {
            withUnsafeBytes(of: sequence.operating_points) { bytes in
                typealias Point = Dav1dSequenceHeaderOperatingPoint
                let points = bytes.bindMemory(to: Point.self)
                for point in points.prefix(Int(sequence.num_operating_points))
                where point.decoder_model_param_present != 0 {
                    let isIn =
                        point.idc >> CInt(unit.temporalLayer) & 1 == 1
                        && point.idc >> CInt(unit.spatialLayer + 8) & 1 == 1
                    if point.idc == 0 || isIn {
                        bits.skip(Int(sequence.buffer_removal_delay_length))
                    }
                }
            }
        }
    }

    /// Reads frame_size and superres_params (5.9.5 and 5.9.8).
    private static func codedSize(
        _ bits: inout AV1Bits, _ flags: Flags, _ sequence: Dav1dSequenceHeader
    ) -> (width: Int, height: Int, isScaled: Bool) {
        var width = Int(sequence.max_width)
        var height = Int(sequence.max_height)
        if flags.hasSize {
            width = bits.bits(Int(sequence.width_n_bits)) + 1
            height = bits.bits(Int(sequence.height_n_bits)) + 1
        }
        guard sequence.super_res != 0, bits.flag() else { return (width, height, false) }
        let denominator = bits.bits(3) + 9
        return ((width * 8 + denominator / 2) / denominator, height, true)
    }

    /// Passes over quantization_params (5.9.12).
    private static func skipQuantization(
        _ bits: inout AV1Bits, _ sequence: Dav1dSequenceHeader
    ) {
        func skipDelta() { if bits.flag() { bits.skip(7) } }
        bits.skip(8)
        skipDelta()
        let isSeparate = sequence.separate_uv_delta_q != 0
        if sequence.monochrome == 0 {
            let differs = isSeparate && bits.flag()
            for _ in 0..<(differs ? 4 : 2) { skipDelta() }
        }
        if bits.flag() { bits.skip(isSeparate ? 12 : 8) }
    }
}
