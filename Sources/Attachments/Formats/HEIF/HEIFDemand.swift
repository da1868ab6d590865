internal import AttachmentContainer
package import AttachmentModel

/// Heap of the bounded decoder, in bytes; planes and transposed pictures lie in scratch files.
package enum HEIFDemand {
    /// Upper bound on the peak heap; it never falls as a picture of one kind grows.
    package static func bytes(
        of header: AttachmentHeader, _ coding: HEIFCoding, placesBlocks: Bool
    ) -> Double {
        let size = header.codedSize
        let tile = coding.unitSize
        let isTransposed = header.orientation.exchangesSides
        let sampleBytes: Double = header.bitsPerSample > 8 ? 2 : 1
        let unit = tile ?? size
        let across = (Double(size.width) / Double(max(1, unit.width))).rounded(.up)
        let down = (Double(size.height) / Double(max(1, unit.height))).rounded(.up)
        let pixelBytes = sampleBytes * (header.hasAlpha ? 4 : 3)
        let planes: Double = header.hasAlpha ? 2 : 1
        var peak = tables + across * down * tileEntry * planes + Double(header.profileBytes)
        // Held tiles: one row, or one column if transposed; for an overlay, all layers.
        let held =
            coding.layout == .overlay
            ? Double(coding.frames.count) : (isTransposed ? down : across) * planes
        // Planes take 3/2 of luma at 4:2:0, and three times luma at 4:4:4.
        let luma = Double(unit.width) * Double(unit.height) * sampleBytes
        let isOnHeap = luma * 1.5 <= planesOnHeap || tile == nil
        peak += held * (heldTile + (isOnHeap ? min(planesOnHeap, luma * 3) : 0))
        // Separate rows of colour and alpha; for an overlay, of each layer.
        let joinedRows: Double =
            coding.layout == .overlay ? 8 * Double(coding.frames.count) : header.hasAlpha ? 5 : 0
        peak += Double(size.width) * sampleBytes * joinedRows
        if isTransposed {
            let row = Double(size.height) * pixelBytes
            let band = 32 * Double(size.width) * pixelBytes
            peak += max(band, Double(BlockTransposition.blockBytes), row) + 64 * pixelBytes
        }
        return peak + heap(of: header, coding, placesBlocks: placesBlocks)
    }

    /// Upper bound on what is held only while a frame is decoded, and on its deep stack.
    static func heap(
        of header: AttachmentHeader, _ coding: HEIFCoding, placesBlocks: Bool
    ) -> Double {
        let frame = frame(of: header, coding)
        return (placesBlocks ? min(frame, FrameDemand.keptOnHeap) : frame)
            + (coding.isAV1 ? Double(FrameDemand.stackOfAV1) : 0)
    }

    /// Upper bound on decoding the frames of an animation's tracks, and the row being drawn.
    ///
    /// `reordering` is the number of frames that wait for their turn.
    static func animation(
        _ frames: [FrameHeader], count: Int, reordering: Int, width: Int, placesBlocks: Bool
    ) -> Double {
        let tracks = frames.reduce(0) { (sum, frame) in
            let luma =
                Double(frame.codedSize.width + 64) * Double(frame.codedSize.height + 64)
                * (frame.bitsPerSample > 8 ? 2 : 1)
            let planes =
                (FrameDemand.heldPlanes(ofSequence: frame) + Double(reordering))
                * (heldTile + (luma * 1.5 <= planesOnHeap ? min(planesOnHeap, luma * 3) : 0))
            return sum + planes
                + (placesBlocks
                    ? FrameDemand.bytesOnHeap(ofSequence: frame)
                    : FrameDemand.bytes(ofSequence: frame))
        }
        let frameBytes =
            MemoryLayout<SequenceTrack.Sample>.stride + MemoryLayout<SequenceTrack.Frame>.stride
        return tables + tracks + Double(width) * 8
            + Double(frames.count * count * frameBytes) * 2
    }

    /// Upper bound on decoding the largest frame; the decoder gets it as its ceiling.
    static func frame(of header: AttachmentHeader, _ coding: HEIFCoding) -> Double {
        guard coding.frames.isEmpty else {
            return coding.frames.reduce(0) { max($0, FrameDemand.bytes(of: $1)) }
        }
        // Without a frame header, half of the 4:2:0 samples counts, although cameras code a frame in
        // an eighth: longer frames are refused.
        let size = coding.unitSize ?? header.codedSize
        let samples =
            Double(size.width) * Double(size.height) * (header.bitsPerSample > 8 ? 1.5 : 0.75)
        let coded = min(samples, Double(min(header.fileBytes.bytes, 1 << 40)))
        return FrameDemand.bytes(
            of: FrameHeader(
                isAV1: coding.isAV1, codedSize: size,
                bitsPerSample: header.bitsPerSample, chromaSubsampling: coding.subsampling,
                pieces: coding.isAV1 ? 2 : 4, codedBytes: Int(max(0, coded))))
    }

    /// Buffers and small objects; the file's tables are freed before a tile is decoded.
    private static let tables = 131_072.0
    /// Per tile: its entry, and its item while tables are read, in bytes.
    private static let tileEntry = 640.0
    /// Per decoded tile, besides its planes: five rows of 544 two-byte samples for conversion
    /// (`RowConversion`), and small objects, in bytes.
    private static let heldTile = 8_192.0
    private static let planesOnHeap = Double(FrameMemory.planesOnHeap)
}
