internal import AttachmentContainer

/// What the bounded decoder of progressive JPEG holds at its peak.
///
/// It holds one row of units of coefficients, and a reader for each scan. Measured (heap, without
/// the 72 KB that the C++ runtime sets aside): 0.33 MB at 12 MP, 0.54 MB at 48 MP and 0.74 MB at
/// 108 MP with ten scans and 4:2:0; 0.95 MB at 12 MP with a hundred scans.
enum ProgressiveJPEGDemand {
    /// Coefficients of a block, two bytes each, and a mask of those that are not zero.
    private static let block = 64.0 * 2 + 8
    /// A scan: 4096 bytes of its data with a margin on both sides, its state, and a Huffman table
    /// of 512 first steps of four bytes with 290 numbers for longer codes.
    private static let scan = 4672.0 + 512 + 3208
    /// The ceiling of the decoder; the header does not tell how many there are.
    private static let scans = 100.0
    /// The window that the file is read for its scans with, a segment of the largest length, the
    /// bytes that wait to be read, tables of the first pass and of the encoder.
    private static let fixed = 65536.0 + 65536 + 20480 + 80000

    /// Bounds the heap that the decoder holds at its peak.
    ///
    /// A divisor of 8, at which luma takes less, is not counted on.
    ///
    /// - Parameter header: What the probe learnt of the file.
    /// - Returns: Bytes.
    static func bytes(of header: AttachmentHeader) -> Double {
        bytes(
            width: header.storedSize.width,
            sampling: header.colourModel == .grey ? "1x1" : header.chromaSubsampling)
    }

    /// Bounds the heap that the decoder holds at its peak.
    ///
    /// - Parameters:
    ///   - width: Of the stored picture, in pixels.
    ///   - sampling: A usual name such as `4:2:0`, the factors of all components such as
    ///     `2x2,1x1,1x1`, or nil when they are not known.
    /// - Returns: Bytes.
    static func bytes(width: Int, sampling: String?) -> Double {
        // The last unit of a row is whole: at most 32 pixels more.
        let columns = (max(Double(width), 0) + 32) / 8
        return columns * blocksInColumn(sampling) * block + scans * scan + fixed
    }

    /// Blocks of a row of units for each eight pixels of its width.
    ///
    /// A name tells the ratio of the factors; of all factors that have it, and no more than ten
    /// blocks in a unit (T.81, B.2.3), those that take the most count: 1×3 three times is 4:4:4 too.
    private static func blocksInColumn(_ sampling: String?) -> Double {
        switch sampling {
        case "4:4:4": 9
        case "4:4:0": 8
        case "4:2:2": 4
        case "4:2:0": 3
        case "4:1:1": 1.5
        case let factors?: blocksInColumn(factors: factors)
        case nil: mostBlocks
        }
    }

    /// Ten blocks in a unit, and no component with two of them beside each other.
    private static let mostBlocks = 10.0

    private static func blocksInColumn(factors: String) -> Double {
        let pairs = factors.split(separator: ",").map { pair in
            pair.split(separator: "x").compactMap { Int($0).map(Double.init) }
        }
        guard !pairs.isEmpty, pairs.allSatisfy({ $0.count == 2 && $0[0] > 0 && $0[1] > 0 }) else {
            return mostBlocks
        }
        let blocks = pairs.reduce(0) { $0 + $1[0] * $1[1] }
        let across = pairs.reduce(1) { max($0, $1[0]) }
        return min(blocks / across, mostBlocks)
    }
}
