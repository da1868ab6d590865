package import AttachmentContainer

/// What the bounded decoder of HEIF and AVIF holds of the heap at its peak, in bytes.
///
/// Decoded planes lie in scratch files, and so does a picture that is written there transposed.
package enum HEIFDemand {
    /// Bounds decoding a picture.
    ///
    /// - Parameters:
    ///   - size: The stored picture, in pixels.
    ///   - tile: A tile of a grid, in pixels; nil for a single picture.
    ///   - isAV1: Whether it is coded with AV1, else with HEVC.
    ///   - bitsPerSample: The depth of a sample.
    ///   - hasAlpha: Whether there is an alpha plane.
    ///   - isTransposed: Whether standing upright exchanges its sides.
    ///   - profileBytes: The length of the ICC profile.
    ///   - fileBytes: The length of the file.
    ///   - placesBlocks: Whether large blocks of the heap are placed in scratch files.
    /// - Returns: The bytes; they never fall as a picture of a kind grows.
    package static func bytes(
        size: PixelSize, tile: PixelSize?, isAV1: Bool, bitsPerSample: Int, hasAlpha: Bool,
        isTransposed: Bool, profileBytes: Int, fileBytes: Int, placesBlocks: Bool
    ) -> Double {
        let sampleBytes: Double = bitsPerSample > 8 ? 2 : 1
        let unit = tile ?? size
        let across = (Double(size.width) / Double(max(1, unit.width))).rounded(.up)
        let down = (Double(size.height) / Double(max(1, unit.height))).rounded(.up)
        let pixelBytes = sampleBytes * (hasAlpha ? 4 : 3)
        let planes: Double = hasAlpha ? 2 : 1
        var peak = tables + across * down * tileEntry * planes + Double(profileBytes)
        // Those of one row are held, or of one column.
        let held = (isTransposed ? down : across) * planes
        // With chroma halved both ways planes take 3/2 of luma, with chroma as it is three times.
        let luma = Double(unit.width) * Double(unit.height) * sampleBytes
        let isOnHeap = luma * 1.5 <= planesOnHeap || tile == nil
        peak += held * (heldTile + (isOnHeap ? min(planesOnHeap, luma * 3) : 0))
        peak += hasAlpha ? Double(size.width) * sampleBytes * 5 : 0
        if isTransposed {
            let row = Double(size.height) * pixelBytes
            let band = 32 * Double(size.width) * pixelBytes
            peak += max(band, blockBytes, row) + 64 * pixelBytes
        }
        let frame = frame(unit, isAV1: isAV1, bitsPerSample: bitsPerSample, fileBytes: fileBytes)
        return peak + (placesBlocks ? min(frame, FrameDemand.keptOnHeap) : frame)
    }

    /// Bounds decoding one tile, which is the ceiling to give to the decoder.
    ///
    /// - Parameters:
    ///   - tile: The tile, or the single picture, in pixels.
    ///   - isAV1: Whether it is coded with AV1, else with HEVC.
    ///   - bitsPerSample: The depth of a sample.
    ///   - fileBytes: The length of the file.
    /// - Returns: The bytes.
    package static func frame(
        _ tile: PixelSize, isAV1: Bool, bitsPerSample: Int, fileBytes: Int
    ) -> Double {
        // Cameras code a tile in an eighth of what its samples take, with chroma halved both ways;
        // one of more than half is refused.
        let samples = Double(tile.width) * Double(tile.height) * (bitsPerSample > 8 ? 1.5 : 0.75)
        let coded = Int(max(0, min(samples, Double(min(fileBytes, 1 << 40)))))
        return isAV1
            ? FrameDemand.av1(
                width: tile.width, height: tile.height, bitDepth: bitsPerSample, codedBytes: coded)
            : FrameDemand.hevc(
                width: tile.width, height: tile.height, bitDepth: bitsPerSample, codedBytes: coded)
    }

    /// Buffers and small objects, in bytes.
    ///
    /// The tables of a file are gone before a tile is decoded. As many entries as the probe's bounds
    /// let in take less than decoding the smallest tile.
    private static let tables = 131_072.0
    /// What is kept of a tile, and of its item while tables are read, in bytes.
    private static let tileEntry = 640.0
    /// A decoded tile besides its planes: five rows of 544 samples of two bytes to convert it by
    /// (`RowConversion`), and small objects, in bytes.
    private static let heldTile = 8_192.0
    /// Planes up to this size lie on the heap (`FrameMemory.planesOnHeap`), in bytes.
    private static let planesOnHeap = 65_536.0
    /// Rows that are made of columns at a time (`BlockTransposition.blockBytes`), in bytes.
    private static let blockBytes = 524_288.0
}
