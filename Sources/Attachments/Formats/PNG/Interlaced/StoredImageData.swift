internal import CZlib

/// Writes rows as unfiltered image data in stored blocks (RFC 1951, 3.2.4), one per chunk, so that
/// no inflating is needed.
final class StoredImageData {
    /// Stays in the first-level cache while two checksums are computed; the maximum is 65,535.
    static let blockBytes = 16 << 10

    private let rows: MergedRows
    private let rowBytes: Int
    private var remaining: Int
    private var isFirst = true
    private var checksum = adler32(0, nil, 0)
    private var row: UnsafePointer<UInt8>?
    private var rowRemaining = 0

    init(_ rows: MergedRows, of header: PNGImageHeader) {
        self.rows = rows
        rowBytes = header.rowBytes(header.width)
        remaining = (rowBytes + 1) * header.height
    }

    var isAtEnd: Bool { remaining == 0 }

    func writeChunk(to output: PendingBytes) throws(DecodingFault) {
        let count = min(remaining, Self.blockBytes)
        remaining -= count
        let streamHeader: [UInt8] = isFirst ? [0x78, 0x01] : []
        output.beginChunk(.imageData, length: streamHeader.count + 5 + count + (isAtEnd ? 4 : 0))
        // Deflate with a 32 KB window, fastest level, a multiple of 31 (RFC 1950, 2.2).
        output.append(streamHeader)
        // Final-block flag, length and its complement (RFC 1951, 3.2.3 and 3.2.4).
        let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8))
        output.append([isAtEnd ? 1 : 0, low, high, ~low, ~high])
        try writeRows(count, to: output)
        if isAtEnd { output.append(checksum) }
        output.endChunk()
        isFirst = false
    }

    private func writeRows(_ count: Int, to output: PendingBytes) throws(DecodingFault) {
        var left = count
        while left > 0 {
            guard let row, rowRemaining > 0 else {
                // Filter type 0: none (PNG specification, 9.2).
                var filter: UInt8 = 0
                output.append(&filter, count: 1)
                checksum = adler32(checksum, &filter, 1)
                row = try rows.nextRow()
                rowRemaining = rowBytes
                left -= 1
                continue
            }
            let part = min(left, rowRemaining)
            let source = row + (rowBytes - rowRemaining)
            output.append(source, count: part)
            checksum = adler32(checksum, source, uInt(part))
            left -= part
            rowRemaining -= part
        }
    }
}
