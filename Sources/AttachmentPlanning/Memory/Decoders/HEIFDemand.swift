internal import AttachmentContainer

/// What the bounded decoder of HEIF and AVIF holds of the heap at its peak, in bytes.
///
/// Decoded planes lie in scratch files, and so does a picture that is written there transposed.
package enum HEIFDemand {
    /// Bounds decoding a picture.
    ///
    /// - Parameters:
    ///   - header: The header of a HEIC or AVIF picture.
    ///   - placesBlocks: Whether large blocks of the heap are placed in scratch files.
    /// - Returns: The bytes; they never fall as a picture of a kind grows.
    package static func bytes(of header: AttachmentHeader, placesBlocks: Bool) -> Double {
        let size = header.codedSize
        let tile = header.coding == .grid ? header.unitSize : nil
        let isTransposed = header.orientation.exchangesSides
        let sampleBytes: Double = header.bitsPerSample > 8 ? 2 : 1
        let unit = tile ?? size
        let across = (Double(size.width) / Double(max(1, unit.width))).rounded(.up)
        let down = (Double(size.height) / Double(max(1, unit.height))).rounded(.up)
        let pixelBytes = sampleBytes * (header.hasAlpha ? 4 : 3)
        let planes: Double = header.hasAlpha ? 2 : 1
        var peak = tables + across * down * tileEntry * planes + Double(header.profileBytes)
        // Those of one row are held, or of one column; of an overlay, all layers.
        let held =
            header.coding == .overlay
            ? Double(header.frames.count) : (isTransposed ? down : across) * planes
        // With chroma halved both ways planes take 3/2 of luma, with chroma as it is three times.
        let luma = Double(unit.width) * Double(unit.height) * sampleBytes
        let isOnHeap = luma * 1.5 <= planesOnHeap || tile == nil
        peak += held * (heldTile + (isOnHeap ? min(planesOnHeap, luma * 3) : 0))
        // Rows of colours and of alpha apart; of an overlay, of each layer.
        let joinedRows: Double =
            header.coding == .overlay ? 8 * Double(header.frames.count) : header.hasAlpha ? 5 : 0
        peak += Double(size.width) * sampleBytes * joinedRows
        if isTransposed {
            let row = Double(size.height) * pixelBytes
            let band = 32 * Double(size.width) * pixelBytes
            peak += max(band, blockBytes, row) + 64 * pixelBytes
        }
        let frame = frame(of: header)
        return peak + (placesBlocks ? min(frame, FrameDemand.keptOnHeap) : frame)
    }

    /// Bounds decoding one frame, which is the ceiling to give to the decoder.
    ///
    /// - Parameter header: The header of a HEIC or AVIF picture.
    /// - Returns: The bytes for the largest of its frames.
    package static func frame(of header: AttachmentHeader) -> Double {
        guard header.frames.isEmpty else {
            return header.frames.reduce(0) { max($0, FrameDemand.bytes(of: $1)) }
        }
        // Without a frame header: as cameras code, in an eighth of what samples take with chroma
        // halved both ways; a frame of more than half is refused.
        let size = header.unitSize ?? header.codedSize
        let samples =
            Double(size.width) * Double(size.height) * (header.bitsPerSample > 8 ? 1.5 : 0.75)
        let coded = min(samples, Double(min(header.fileBytes.bytes, 1 << 40)))
        return FrameDemand.bytes(
            of: FrameHeader(
                isAV1: header.format == .avif, codedSize: size,
                bitsPerSample: header.bitsPerSample, chromaSubsampling: header.chromaSubsampling,
                pieces: header.format == .avif ? 2 : 4, codedBytes: Int(max(0, coded))))
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
