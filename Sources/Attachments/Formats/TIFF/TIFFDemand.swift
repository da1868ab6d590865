internal import AttachmentContainer
internal import AttachmentModel

/// Peak heap of the bounded decoder for TIFF.
///
/// Strips, rows of tiles and their compressed bytes lie on the heap only while small; larger ones
/// lie in scratch files, which are not footprint. Measured anonymous memory (libtiff 4.5) at 48
/// megapixels: strips 0.13 MB, tiles 0.15 MB; one strip 0.18 MB uncompressed, 0.13 MB with LZW,
/// 0.10 MB deflated, 0.35 MB with JPEG. At 39,917 pixels a row: JPEG up to 1.94 MB, fax 0.73 MB.
enum TIFFDemand {
    /// libtiff's tables (LZW's are the largest, 82 KB), the reduced directory and small objects.
    private static let fixed = 160_000.0
    private static let heapLimit = Double(FrameMemory.unitsOnHeap)
    /// Per strip or tile: an eight-byte offset and length, and eight more while they are read.
    private static let unitEntry = 24.0
    /// Rows that libjpeg holds, per sample: measured 16.2 when two by four pixels share a chroma
    /// sample, the maximum of a JPEG in one scan (T.81, B.2.3), and 18.5 in a fax.
    private static let rowsOfCodec = 20.0

    /// Upper bound on the peak heap, in bytes.
    static func bytes(of header: AttachmentHeader, unitSize: PixelSize, isTiled: Bool) -> Double {
        let width = max(1, Double(header.storedSize.width))
        let height = max(1, Double(header.storedSize.height))
        let samples = max(1, Double(header.storedSamples))
        let sampleBytes = max(1, Double((header.bitsPerSample + 7) / 8))
        let unitWidth = isTiled ? max(1, Double(unitSize.width)) : width
        let unitHeight = max(1, Double(unitSize.height))

        // Tiles overhang the picture.
        let decodedWidth = isTiled ? width + unitWidth : width
        let decoded = decodedWidth * unitHeight * samples * sampleBytes
        let across = isTiled ? (width / unitWidth).rounded(.up) : 1
        // Separate planes have strips of their own. One uncompressed strip is read as many strips
        // of at least a row.
        let units = max(height, across * (height / unitHeight).rounded(.up) * samples)
        return fixed
            + min(heapLimit, decoded)  // decoded strips, or a row of tiles
            + heapLimit  // compressed bytes, which may be more than decoded ones
            + unitEntry * min(Double(TIFFCoding.unitCeiling), units)
            + rowsOfCodec * samples * unitWidth
            + max(0, Double(header.profileBytes))
    }
}
