internal import AttachmentContainer

/// Peak heap of the bounded decoder for progressive JPEG.
///
/// It holds one row of MCUs of coefficients, and a reader for each scan. Measured heap, without the
/// 72 KB of the C++ runtime: 0.33 MB at 12 MP, 0.54 MB at 48 MP and 0.74 MB at 108 MP with ten
/// scans and 4:2:0; 0.95 MB at 12 MP with a hundred scans.
enum ProgressiveJPEGDemand {
    /// Per block: 64 two-byte coefficients and a mask of the nonzero ones.
    private static let block = 64.0 * 2 + 8
    /// Per scan: 4096 bytes of data with margins, its state, and a Huffman table of 512 four-byte
    /// first-level entries with 290 numbers for longer codes.
    private static let scan = 4672.0 + 512 + 3208
    /// The decoder's limit on scans; the header does not state their number.
    private static let scans = 100.0
    /// Scan window, a segment of maximum length, read buffer, first-pass and encoder tables.
    private static let fixed = 65536.0 + 65536 + 20480 + 80000

    /// Upper bound on the peak heap, in bytes; it ignores the savings of a divisor of 8.
    static func bytes(of header: AttachmentHeader) -> Double {
        bytes(
            width: header.storedSize.width,
            sampling: header.colourModel == .grey ? "1x1" : header.chromaSubsampling)
    }

    /// Upper bound on the peak heap for a stored width, in bytes.
    ///
    /// `sampling` is a usual name such as `4:2:0`, the factors of all components such as
    /// `2x2,1x1,1x1`, or nil when unknown.
    static func bytes(width: Int, sampling: String?) -> Double {
        // The last MCU of a row is whole: at most 32 pixels more.
        let columns = (max(Double(width), 0) + 32) / 8
        return columns * blocksInColumn(sampling) * block + scans * scan + fixed
    }

    /// Blocks in a row of MCUs per eight pixels of width.
    ///
    /// A name gives only the ratio of the factors. Of all factors with that ratio and at most ten
    /// blocks in an MCU (T.81, B.2.3), the costliest count: three times 1×3 is 4:4:4 too.
    private static func blocksInColumn(_ sampling: String?) -> Double {
        switch sampling {
        case "4:4:4": 9
        case "4:4:0": 8
        case "4:2:2": 4
        case "4:2:0": 3
        case "4:1:1": 1.5
        case let factors?: blocksInColumn(factors: factors)
        case nil: maximumBlocks
        }
    }

    /// Ten blocks in an MCU, one block wide.
    private static let maximumBlocks = 10.0

    private static func blocksInColumn(factors: String) -> Double {
        let pairs = factors.split(separator: ",").map { pair in
            pair.split(separator: "x").compactMap { Int($0).map(Double.init) }
        }
        guard !pairs.isEmpty, pairs.allSatisfy({ $0.count == 2 && $0[0] > 0 && $0[1] > 0 }) else {
            return maximumBlocks
        }
        let blocks = pairs.reduce(0) { $0 + $1[0] * $1[1] }
        let across = pairs.reduce(1) { max($0, $1[0]) }
        return min(blocks / across, maximumBlocks)
    }
}
