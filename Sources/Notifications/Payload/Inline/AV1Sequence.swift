/// The sequence header of an inline picture: a reduced header of a still picture, 8 bits a sample, full
/// range, colours of sRGB with the matrix of BT.601, no film grain (AV1 specification, 5.5).
struct AV1Sequence: Hashable {
    var width: Int
    var height: Int
    var coding: InlinePicture.Coding

    /// Code points of ITU-T H.273: BT.709 primaries, transfer of sRGB, matrix of BT.601.
    static let colours = [1, 13, 6]

    /// The sequence header, without the unit's header.
    var bytes: [UInt8] {
        let isFull = coding.contains(.fullChroma)
        var bits = BitWriter()
        bits.write(isFull ? 1 : 0, bits: 3)  // seq_profile
        bits.write(true)  // still_picture
        bits.write(true)  // reduced_still_picture_header
        bits.write(0, bits: 5)  // seq_level_idx: 2.0, up to 147,456 pixels
        for side in [width, height] { bits.write(Self.bits(of: side) - 1, bits: 4) }
        for side in [width, height] { bits.write(side - 1, bits: Self.bits(of: side)) }
        bits.write(coding.contains(.largeSuperblocks))
        bits.write(coding.contains(.filterIntra))
        bits.write(coding.contains(.intraEdgeFilter))
        bits.write(false)  // enable_superres
        bits.write(coding.contains(.directionalFilter))
        bits.write(coding.contains(.restoration))
        bits.write(false)  // high_bitdepth
        if !isFull { bits.write(false) }  // mono_chrome
        bits.write(true)  // color_description_present_flag
        for code in Self.colours { bits.write(code, bits: 8) }
        bits.write(true)  // color_range
        if !isFull { bits.write(0, bits: 2) }  // chroma_sample_position: unknown
        bits.write(coding.contains(.separateChromaQuantisers))
        bits.write(false)  // film_grain_params_present
        bits.write(true)  // trailing_one_bit
        return bits.bytes
    }

    /// Reads a header; one with any other property is an error.
    init(reading bytes: some Sequence<UInt8>) throws(InlinePictureError) {
        var bits = BitReader(bytes)
        let profile = try bits.read(3)
        let isStill = try bits.flag()
        let isReduced = try bits.flag()
        _ = try bits.read(5)
        guard profile <= 1, isStill, isReduced else {
            throw InlinePictureError(.notAV1, "its sequence header is not a still picture's")
        }
        let (widthBits, heightBits) = (try bits.read(4) + 1, try bits.read(4) + 1)
        width = try bits.read(widthBits) + 1
        height = try bits.read(heightBits) + 1
        guard max(width, height) <= InlinePicture.maximumSide else {
            throw InlinePictureError(
                .size, "it has \(width) × \(height) pixels, more than 256 a side")
        }
        coding = profile == 1 ? .fullChroma : []
        if try bits.flag() { coding.insert(.largeSuperblocks) }
        if try bits.flag() { coding.insert(.filterIntra) }
        if try bits.flag() { coding.insert(.intraEdgeFilter) }
        let hasSuperres = try bits.flag()
        if try bits.flag() { coding.insert(.directionalFilter) }
        if try bits.flag() { coding.insert(.restoration) }
        // The rest is fixed. The level does not matter to a decoder.
        guard !hasSuperres, try hasColours(&bits) else {
            throw InlinePictureError(
                .notAV1, "its sequence has other colours or tools than the format")
        }
    }

    init(of picture: InlinePicture) {
        (width, height, coding) = (picture.width, picture.height, picture.coding)
    }

    /// Reads colours and film grain; false for others than the format's.
    private mutating func hasColours(_ bits: inout BitReader) throws(InlinePictureError) -> Bool {
        let isFull = coding.contains(.fullChroma)
        // high_bitdepth and mono_chrome, then color_description_present_flag.
        guard try bits.read(isFull ? 1 : 2) == 0, try bits.flag() else { return false }
        for code in Self.colours where try bits.read(8) != code { return false }
        guard try bits.flag() else { return false }
        if !isFull { _ = try bits.read(2) }
        if try bits.flag() { coding.insert(.separateChromaQuantisers) }
        return try !bits.flag()
    }

    /// Bits of a side less one; at least 1.
    private static func bits(of side: Int) -> Int {
        max(1, Int.bitWidth - (side - 1).leadingZeroBitCount)
    }
}
