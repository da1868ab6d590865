internal import AttachmentContainer

/// Heap for decoding a whole frame while its planes lie in scratch files.
///
/// Both decoders hold data about each block of a frame, in every configuration. They free it when
/// the frame is decoded, before any row is read. The constants are measured (dav1d 1.0.0, libde265
/// 1.0.11, each allocation listed by valgrind's dhat).
package enum FrameDemand {
    /// Heap, in bytes, up to which a frame is decoded without scratch files for large blocks.
    package static let keptOnHeap = 1_300_000.0

    /// Margin of the heap ceiling over the demand, in bytes.
    ///
    /// Later tiles of a grid may have more slices than the first.
    package static let slack = 524_288.0

    /// dav1d's context and tables, in bytes.
    ///
    /// The warm-up term covers them for a picture that is decoded before libvips is warm, but not
    /// for the later tiles of a grid.
    static let av1Fixed = 300_000.0

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

    /// Upper bound on dav1d's heap for one AV1 frame.
    ///
    /// It excludes ``av1Fixed`` and the second picture of film grain, which lies with the other
    /// planes. The defaults are 64-pixel superblocks, which take
    /// more than 128, and 2 tiles, more than encoders use by default.
    package static func av1(
        width: Int, height: Int, bitDepth: Int = 8,
        chromaSubsampling: ChromaSubsampling? = .yCbCr420,
        superblock: Int = 64, tiles: Int = 2, isSegmented: Bool = false, codedBytes: Int
    ) -> Double {
        let sampleBytes: Double = bitDepth > 8 ? 2 : 1
        // Both chroma planes together, in luma row lengths.
        let chroma: Double =
            switch chromaSubsampling {
            case nil: 0
            case .yCbCr444: 2
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

    /// Upper bound on libde265's heap for one HEVC picture; it copies all coded bytes.
    package static func hevc(
        width: Int, height: Int, bitDepth: Int = 8, treeBlock: Int = 32, slices: Int = 4,
        codedBytes: Int
    ) -> Double {
        // Blocks that overhang the picture count too.
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

    /// Coded bytes up to this length are read to the heap, in bytes; longer ones to a scratch file.
    private static let codedOnHeap = 262_144.0

    /// dav1d's allocations, in bytes.
    private enum AV1 {
        /// Contexts of the blocks above, per column.
        static let column = 80.0
        /// Rows of all planes that the directional filter keeps per superblock row.
        static let filterRows = 4.0
        /// Rows of all planes that loop restoration keeps.
        static let restorationRows = 12.0
        /// Pixels below a superblock row kept for prediction, three per 128 columns.
        static let predictionEdge = 384.0
        /// Per 128 × 128 pixels: filter levels, 4 bytes per 4 × 4 pixels, and masks, 1348 bytes.
        static let block = 5_475.0
        /// Two segmentation maps per 128 × 128 pixels, a byte per 4 × 4 pixels each.
        static let segments = 2_048.0
        /// Probability tables and state of a tile.
        static let tile = 16_500.0
    }

    /// libde265's allocations, in bytes.
    private enum HEVC {
        /// The decoder, parameter sets and, for large pictures, a thread.
        static let fixed = 520_000.0
        /// Order of 4 × 4 blocks, 4 bytes each, and up to five one-byte maps of them.
        static let pixel = 0.556
        /// Lock of 96 bytes, metadata of 24, and its entries in three orders.
        static let treeBlock = 140.0
        /// Context of a row with wavefront parallel processing.
        static let treeBlockRow = 18_700.0
        /// Slice segment header, kept with the picture.
        static let slice = 17_100.0
        /// Copy for sample adaptive offset, when not in a scratch file.
        static let filterCopy = 524_288.0
    }
}
