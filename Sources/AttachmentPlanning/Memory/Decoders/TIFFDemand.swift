internal import AttachmentContainer

/// What the bounded decoder of TIFF holds on the heap at its peak.
///
/// Strips, rows of tiles and their compressed bytes lie there only while they are short; else in
/// scratch files, which are not footprint. Measured (anonymous memory, libtiff 4.5): 48 megapixels
/// in strips 0.13 MB, in tiles 0.15 MB, in one strip 0.18 MB uncompressed, 0.13 MB as LZW, 0.10 MB
/// deflated, 0.35 MB as JPEG; JPEG of 39,917 pixels a row up to 1.94 MB, a fax of them 0.73 MB.
enum TIFFDemand {
    /// libtiff's tables, of which those of LZW are the largest (82 KB), the reduced directory and
    /// the objects around them.
    private static let fixed = 160_000.0
    /// The longest piece of memory that the decoder takes from the heap and not from a scratch file.
    private static let heapLimit = 131_072.0
    /// More strips or tiles are refused.
    private static let unitCeiling = 131_072.0
    /// Offset and length of a strip or tile, eight bytes each, and eight more while they are read.
    private static let unitEntry = 24.0
    /// The rows that libjpeg holds, for each sample of a row of a strip or tile.
    ///
    /// Measured: 16.2 where two by four pixels share a chroma sample, which is the most that a JPEG
    /// may have in one scan (T.81, B.2.3); 18.5 in a fax.
    private static let rowsOfCodec = 20.0

    /// Bounds the heap that the decoder holds at its peak.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - samples: Samples of a pixel.
    ///   - sampleBytes: Bytes of a sample, as decoded.
    ///   - unitSize: The size of a strip or tile; nil for one strip.
    ///   - isTiled: Whether it is that of a tile.
    ///   - profileBytes: The length of the ICC profile; 0 when there is none.
    /// - Returns: Bytes; they never fall as a picture grows.
    static func bytes(
        width: Int, height: Int, samples: Int, sampleBytes: Int, unitSize: PixelSize?,
        isTiled: Bool, profileBytes: Int
    ) -> Double {
        let width = max(1, Double(width))
        let height = max(1, Double(height))
        let samples = max(1, Double(samples))
        let unitWidth = isTiled ? max(1, Double(unitSize?.width ?? 1)) : width
        let unitHeight = max(1, unitSize.map { Double($0.height) } ?? height)

        // Tiles overhang the picture.
        let decodedWidth = isTiled ? width + unitWidth : width
        let decoded = decodedWidth * unitHeight * samples * max(1, Double(sampleBytes))
        let across = isTiled ? (width / unitWidth).rounded(.up) : 1
        // Of separate planes each has strips; one uncompressed strip is read as many, of a row or
        // more each.
        let units = max(height, across * (height / unitHeight).rounded(.up) * samples)
        return fixed
            + min(heapLimit, decoded)  // decoded strips, or a row of tiles
            + heapLimit  // compressed bytes, which may be more than decoded ones
            + unitEntry * min(unitCeiling, units)
            + rowsOfCodec * samples * unitWidth
            + max(0, Double(profileBytes))
    }
}
