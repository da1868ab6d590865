internal import AttachmentContainer

/// Heap for decoding a whole frame while its planes lie in scratch files.
///
/// Both decoders hold data about each block of a frame, in every configuration. They free it when
/// the frame is decoded, before any row is read. The constants are measured (dav1d 1.0.0, libde265
/// 1.0.11, each allocation listed by valgrind's dhat).
enum FrameDemand {
    /// Heap, in bytes, up to which a frame is decoded without scratch files for large blocks.
    static let keptOnHeap = 1_300_000.0

    /// Margin of the heap ceiling over the demand, in bytes: later tiles may have more slices.
    static let slack = 524_288.0

    /// Stack of the thread that runs dav1d, in bytes, for its C code of loop restoration.
    ///
    /// With 10 and 12 bits that code has frames of 251,336 and 212,360 bytes, one inside the other
    /// (dav1d 1.0.0, `sgr_mix` and `selfguided_filter`); with 8 bits, of 153,032 and 159,304. The
    /// deepest stack measured is 463 KiB (`DeepStackTests`). A quarter is left for other versions.
    static let stackOfAV1 = 640 << 10

    static func bytes(of frame: FrameHeader) -> Double {
        frame.isAV1 ? av1(frame) : hevc(frame)
    }

    /// Throws if a still, or any frame of a sequence with such a frame, may exceed the ceiling.
    static func check(
        _ frame: FrameHeader, isSequence: Bool, ceiling: Int, at offset: Int
    ) throws(DecodingFault) {
        let demand = isSequence ? bytes(ofSequence: frame) : bytes(of: frame)
        guard demand <= Double(ceiling) else {
            throw DecodingFault(
                .overCeiling, at: offset,
                "decoding it takes \(Int(demand)) bytes, more than the limit of \(ceiling)")
        }
    }

    /// Upper bound on decoding any frame of a track, from its first one.
    static func bytes(ofSequence frame: FrameHeader) -> Double {
        var frame = frame
        guard frame.isAV1 else {
            // Later frames may have more slices.
            frame.pieces = max(frame.pieces, HEVC.mostSlices)
            return hevcSequence(frame)
        }
        (frame.isSegmented, frame.hasReferences) = (true, true)
        // Later frames may be split into more tiles.
        let blocks = ((frame.codedSize.width + 63) / 64) * ((frame.codedSize.height + 63) / 64)
        frame.pieces = max(frame.pieces, min(AV1.mostTiles, blocks))
        return av1(frame)
    }

    /// The part of `bytes(ofSequence:)` that is on the heap with large blocks in a scratch file.
    static func bytesOnHeap(ofSequence frame: FrameHeader) -> Double {
        let all = bytes(ofSequence: frame)
        guard !frame.isAV1 else { return min(all, keptOnHeap) }
        let pieces = Double(max(frame.pieces, HEVC.mostSlices))
        let maps = min(hevcPicture(frame, perPixel: HEVC.smallMaps), HEVC.largestMaps)
        let kept =
            HEVC.fixed + min(Double(frame.codedBytes), codedOnHeap)
            + pieces * (HEVC.slice + smallestPlaced)
            + heldPictures(frame) * (maps + pieces * HEVC.sliceHeader)
        return min(all, kept)
    }

    /// Limit on HEVC picture parameter sets of a sequence; encoders write one.
    static let pictureSets = 4

    /// Frames whose planes the decoder holds: with AV1, eight references (section 7.20), the current
    /// one and its copy with film grain.
    static func heldPlanes(ofSequence frame: FrameHeader) -> Double {
        frame.isAV1 ? 10 : heldPictures(frame) + 1
    }

    /// Excludes the second picture of film grain, which lies with other planes.
    private static func av1(_ frame: FrameHeader) -> Double {
        let (width, height) = (Double(frame.codedSize.width), Double(frame.codedSize.height))
        let sampleBytes: Double = frame.bitsPerSample > 8 ? 2 : 1
        // Both chroma planes together, in luma row lengths.
        let chroma: Double =
            switch frame.chromaSubsampling {
            case nil: 0
            case .yCbCr444: 2
            default: 1
            }
        let across = (width / 128).rounded(.up)
        let blocks = across * (height / 128).rounded(.up)
        let superblockRows = (height / Double(max(frame.blockSide, 64))).rounded(.up)
        let rowBytes = (across * 128 * sampleBytes + 64) * (1 + chroma)
        return AV1.fixed
            + width * AV1.column
            + rowBytes * (superblockRows * AV1.filterRows + AV1.restorationRows)
            + superblockRows * across * AV1.predictionEdge * sampleBytes
            + blocks * (AV1.block + (frame.isSegmented ? AV1.segments : 0))
            + Double(frame.pieces) * AV1.tile
            + (frame.hasReferences
                ? AV1.heldFrames * (AV1.probabilities + blocks * AV1.reference)
                    + width * AV1.motionColumn : 0)
            + min(Double(frame.codedBytes), codedOnHeap)
    }

    private static func hevc(_ frame: FrameHeader) -> Double {
        // Blocks that overhang the picture count too.
        let across = Double(frame.codedSize.width) + 64
        let down = Double(frame.codedSize.height) + 64
        let side = Double(max(frame.blockSide, 16))
        let blocks = (across / side).rounded(.up) * (down / side).rounded(.up)
        return HEVC.fixed
            + across * down * HEVC.pixel
            + blocks * HEVC.treeBlock
            + (down / side).rounded(.up) * HEVC.treeBlockRow
            + min(across * down * (frame.bitsPerSample > 8 ? 2 : 1), HEVC.filterCopy)
            + Double(frame.pieces) * HEVC.slice
            + Double(frame.codedBytes) + min(Double(frame.codedBytes), codedOnHeap)
    }

    private static func hevcSequence(_ frame: FrameHeader) -> Double {
        let pixels = Double(frame.codedSize.width + 64) * Double(frame.codedSize.height + 64)
        let pieces = Double(frame.pieces)
        return hevc(frame)
            + heldPictures(frame)
            * (hevcPicture(frame, perPixel: HEVC.maps) + pieces * HEVC.sliceHeader)
            + Double(pictureSets - 1) * pixels * HEVC.blockOrder
            // Buffers of coded slices are reused and keep the length of their longest one.
            + (pieces - 1) * Double(frame.codedBytes)
    }

    /// Data about the blocks of a picture that others may refer to.
    private static func hevcPicture(_ frame: FrameHeader, perPixel: Double) -> Double {
        let across = Double(frame.codedSize.width) + 64
        let down = Double(frame.codedSize.height) + 64
        let side = Double(max(frame.blockSide, 16))
        return HEVC.picture + across * down * perPixel
            + (across / side).rounded(.up) * (down / side).rounded(.up) * HEVC.treeBlock
    }

    /// libde265 drops references only after it has allocated the next picture.
    private static func heldPictures(_ frame: FrameHeader) -> Double {
        Double(max(1, frame.heldPictures) + 1)
    }

    /// Largest block that is never placed in a scratch file (`scratch_heap.c`).
    private static let smallestPlaced = Double(32 << 10)

    private static let codedOnHeap = Double(FrameMemory.codedOnHeap)

    /// dav1d's allocations, in bytes.
    private enum AV1 {
        /// The decoder's context and tables.
        static let fixed = 300_000.0
        /// Contexts of the blocks above, per column.
        static let column = 80.0
        /// Rows of all planes that the directional filter keeps per superblock row.
        static let filterRows = 4.0
        static let restorationRows = 12.0
        /// Pixels below a superblock row kept for prediction, three per 128 columns.
        static let predictionEdge = 384.0
        /// Per 128 × 128 pixels: filter levels, 4 bytes per 4 × 4 pixels, and masks, 1348 bytes.
        static let block = 5_475.0
        /// Two segmentation maps per 128 × 128 pixels, a byte per 4 × 4 pixels each.
        static let segments = 2_048.0
        static let tile = 16_500.0
        /// Eight references and the current frame.
        static let heldFrames = 9.0
        /// Probabilities of symbols that each reference keeps.
        static let probabilities = 40_000.0
        /// Per 128 × 128 pixels of a reference: motion of 5 bytes per 8 × 8 pixels, and segments of a
        /// byte per 4 × 4.
        static let reference = 2_304.0
        /// Motion of 35 rows of blocks, 12 bytes per four columns, and its projections.
        static let motionColumn = 128.0
        /// Limit on tiles of a frame that is planned for, as on stills.
        static let mostTiles = 64
    }

    /// Largest plane that libde265 copies on the heap, in bytes: a tile, for which a thread would
    /// cost more.
    static let copyOnHeap = 512 << 10

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
        static let slice = 17_100.0
        /// Copy for sample adaptive offset, when not in a scratch file.
        static let filterCopy = Double(copyOnHeap)
        /// Order of 4 × 4 blocks, per pixel and picture parameter set, with orders of tree blocks.
        static let blockOrder = 0.35
        /// Per pixel of a held picture: four maps of a byte per 4 × 4 block, one of 3 bytes per
        /// 8 × 8 block, and motion of 12 bytes per 4 × 4 block.
        static let maps = 1.05
        /// Same, without motion.
        static let smallMaps = 0.3
        /// Limit on maps that are all too small for a scratch file.
        static let largestMaps = 180_000.0
        /// A picture's object.
        static let picture = 4_096.0
        /// Header of a slice, kept with its picture.
        static let sliceHeader = 2_560.0
        /// Limit on slices of a later frame that is planned for if the first one has fewer.
        static let mostSlices = 4
    }
}
