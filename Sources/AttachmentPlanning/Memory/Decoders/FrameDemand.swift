internal import AttachmentContainer

/// What decoding a whole frame takes of the heap, while its planes lie in scratch files.
///
/// Both decoders keep notes of each block of a frame, which no setting of theirs leaves out; they
/// are gone once the frame is decoded, before any row of it is read. The constants are measured
/// (dav1d 1.0.0, libde265 1.0.11, each allocation listed by valgrind's dhat).
package enum FrameDemand {
    /// What a frame's decoder takes of the heap at most where large blocks are placed elsewhere, in
    /// bytes; frames that take less are decoded without that.
    package static let keptOnHeap = 1_300_000.0

    /// What the ceiling on a frame's heap exceeds its demand by, in bytes: for further tiles of a
    /// grid, which may have more slices than the first.
    package static let slack = 524_288.0

    /// Bounds what a decoder takes for one frame.
    ///
    /// - Parameter frame: The header of the frame.
    /// - Returns: Bytes.
    package static func bytes(of frame: FrameHeader) -> Double {
        let size = frame.codedSize
        return frame.isAV1
            ? av1(
                width: size.width, height: size.height, bitDepth: frame.bitsPerSample,
                chromaSubsampling: frame.chromaSubsampling, superblock: frame.blockSide,
                tiles: frame.pieces, isSegmented: frame.isSegmented, codedBytes: frame.codedBytes)
            : hevc(
                width: size.width, height: size.height, bitDepth: frame.bitsPerSample,
                treeBlock: frame.blockSide, slices: frame.pieces, codedBytes: frame.codedBytes)
    }

    /// Bounds what dav1d takes for one AV1 frame.
    ///
    /// What it takes for any frame, 0.3 MB, is in what the planner counts for warming up. Film grain
    /// takes a second picture, which lies where pictures lie.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - bitDepth: Bits of a sample. The default is 8.
    ///   - chromaSubsampling: Luma to chroma sampling. The default is `4:2:0`.
    ///   - superblock: The side of a superblock, 64 or 128. The default is 64, which takes more.
    ///   - tiles: Into how many tiles the frame is cut. The default is 2, more than encoders use
    ///     unless they are told to.
    ///   - isSegmented: Whether blocks belong to segments. The default is no.
    ///   - codedBytes: The length of the coded frame, in bytes.
    /// - Returns: Bytes.
    package static func av1(
        width: Int, height: Int, bitDepth: Int = 8, chromaSubsampling: String? = "4:2:0",
        superblock: Int = 64, tiles: Int = 2, isSegmented: Bool = false, codedBytes: Int
    ) -> Double {
        let sampleBytes: Double = bitDepth > 8 ? 2 : 1
        // Both chroma planes together, in widths of luma.
        let chroma: Double =
            switch chromaSubsampling {
            case nil: 0
            case "4:4:4": 2
            default: 1
            }
        let across = (Double(width) / 128).rounded(.up)
        let blocks = across * (Double(height) / 128).rounded(.up)
        let superblockRows = (Double(height) / Double(max(superblock, 64))).rounded(.up)
        let rowBytes = (across * 128 * sampleBytes + 64) * (1 + chroma)
        return Double(width) * AV1.column
            + rowBytes * (superblockRows * AV1.filterRows + AV1.restorationRows)
            + superblockRows * across * AV1.predictionEdge * sampleBytes
            + blocks * (AV1.block + (isSegmented ? AV1.segments : 0))
            + Double(tiles) * AV1.tile
            + min(Double(codedBytes), codedOnHeap)
    }

    /// Bounds what libde265 takes for one HEVC picture.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - bitDepth: Bits of a sample. The default is 8.
    ///   - treeBlock: The side of a coding tree block, 16, 32 or 64. The default is 32.
    ///   - slices: Into how many slice segments the picture is cut. The default is 4.
    ///   - codedBytes: The length of the coded picture, in bytes, all of which libde265 copies.
    /// - Returns: Bytes.
    package static func hevc(
        width: Int, height: Int, bitDepth: Int = 8, treeBlock: Int = 32, slices: Int = 4,
        codedBytes: Int
    ) -> Double {
        // Blocks that reach beyond the picture count too.
        let (across, down) = (Double(width) + 64, Double(height) + 64)
        let side = Double(max(treeBlock, 16))
        let blocks = (across / side).rounded(.up) * (down / side).rounded(.up)
        return HEVC.fixed
            + across * down * HEVC.pixel
            + blocks * HEVC.treeBlock
            + (down / side).rounded(.up) * HEVC.treeBlockRow
            + min(across * down * (bitDepth > 8 ? 2 : 1), HEVC.filterCopy)
            + Double(slices) * HEVC.slice
            + Double(codedBytes) + min(Double(codedBytes), codedOnHeap)
    }

    /// Up to here coded bytes are read to the heap, in bytes; beyond, to a scratch file.
    private static let codedOnHeap = 262_144.0

    /// What dav1d allocates, in bytes.
    private enum AV1 {
        /// Contexts of the blocks above, for a column.
        static let column = 80.0
        /// Rows of all planes that the directional filter keeps of each row of superblocks.
        static let filterRows = 4.0
        /// Rows of all planes that loop restoration keeps.
        static let restorationRows = 12.0
        /// Pixels below a row of superblocks that prediction keeps, three for each of 128 columns.
        static let predictionEdge = 384.0
        /// Filter levels, 4 bytes for 4 × 4 pixels, and masks, 1348 bytes, for 128 × 128 pixels.
        static let block = 5_475.0
        /// Two maps of segments, a byte for 4 × 4 pixels each, for 128 × 128 pixels.
        static let segments = 2_048.0
        /// The probability tables of a tile and what goes with them.
        static let tile = 16_500.0
    }

    /// What libde265 allocates, in bytes.
    private enum HEVC {
        /// The decoder, parameter sets and, for large pictures, a thread.
        static let fixed = 520_000.0
        /// The order of 4 × 4 blocks, 4 bytes each, and five notes of a byte about each of them or
        /// less.
        static let pixel = 0.556
        /// A lock of 96 bytes, notes of 24, and its place in three orders.
        static let treeBlock = 140.0
        /// The context in which a row is decoded when rows are coded to be decoded at once.
        static let treeBlockRow = 18_700.0
        /// The header of a slice segment, kept with the picture.
        static let slice = 17_100.0
        /// The copy that sample adaptive offset reads, when it is not in a scratch file.
        static let filterCopy = 524_288.0
    }
}
