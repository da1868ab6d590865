internal import AttachmentContainer

/// Alpha plane (ISO/IEC 23008-12, 6.5.8), scaled to the nearest pixel above left as in libheif.
final class AlphaPlane {
    private let mosaic: FrameMosaic
    private let across: Mapping
    private let down: Mapping
    private let bytesPerSample: Int
    private let isPremultiplied: Bool
    private var storedRow: [UInt8] = []
    private var scaledRow: [UInt8] = []

    init(_ alpha: StoredPicture.Alpha, bytesPerSample: Int, decoder: FrameDecoder) {
        mosaic = FrameMosaic(alpha.mosaic, decoder: decoder, hasProfile: true, isAlpha: true)
        self.bytesPerSample = bytesPerSample
        isPremultiplied = alpha.isPremultiplied
        let (visible, plane) = (alpha.placement.picture, alpha.placement.plane)
        across = Mapping(
            pixels: visible.columns, plane: plane.columns,
            isBackwards: visible.orientation.readsColumnsBackwards)
        down = Mapping(
            pixels: visible.rows, plane: plane.rows,
            isBackwards: visible.orientation.readsRowsBackwards)
    }

    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        try mosaic.hold(columns: across.range(columns), rows: down.range(rows))
    }

    func release() { mosaic.release() }

    func join(
        _ y: Int, columns: Range<Int>, colours: UnsafeMutableRawBufferPointer, bands: Int,
        into row: UnsafeMutableRawBufferPointer
    ) {
        let count = columns.count
        let stored = across.range(columns)
        readStored(down[y], columns: stored)
        if across.isScaled { scale(stored, to: columns) }
        (across.isScaled ? scaledRow : storedRow).withUnsafeBytes { alpha in
            if bytesPerSample == 1 {
                interleave(
                    colours.bindMemory(to: UInt8.self), alpha.bindMemory(to: UInt8.self),
                    bands: bands, count: count, into: row.bindMemory(to: UInt8.self))
            } else {
                interleave(
                    colours.bindMemory(to: UInt16.self), alpha.bindMemory(to: UInt16.self),
                    bands: bands, count: count, into: row.bindMemory(to: UInt16.self))
            }
        }
    }

    private func readStored(_ y: Int, columns: Range<Int>) {
        let needed = columns.count * bytesPerSample
        if storedRow.count < needed { storedRow = Array(repeating: 0, count: needed) }
        storedRow.withUnsafeMutableBytes {
            mosaic.readLuma(y, columns: columns, bytesPerSample: bytesPerSample, into: $0)
        }
    }

    private func scale(_ stored: Range<Int>, to columns: Range<Int>) {
        let needed = columns.count * bytesPerSample
        if scaledRow.count < needed { scaledRow = Array(repeating: 0, count: needed) }
        let (bytes, across) = (bytesPerSample, across)
        scaledRow.withUnsafeMutableBytes { scaled in
            storedRow.withUnsafeBytes { row in
                for (index, x) in columns.enumerated() {
                    let source = across[x] - stored.lowerBound
                    for byte in 0..<bytes {
                        scaled[index * bytes + byte] = row[source * bytes + byte]
                    }
                }
            }
        }
    }

    /// `colours` has `count * bands` samples, `alpha` has `count`, and `row` has room for both.
    @inline(__always)
    private func interleave<Sample: FixedWidthInteger & UnsignedInteger>(
        _ colours: UnsafeMutableBufferPointer<Sample>, _ alpha: UnsafeBufferPointer<Sample>,
        bands: Int, count: Int, into row: UnsafeMutableBufferPointer<Sample>
    ) {
        let isPremultiplied = isPremultiplied
        let largest = UInt32(Sample.max)
        for pixel in 0..<count {
            let opacity = UInt32(alpha[pixel])
            for band in 0..<bands {
                var sample = UInt32(colours[pixel * bands + band])
                if isPremultiplied, opacity < largest {
                    // Rounded to nearest; colours above their alpha are clipped.
                    sample =
                        opacity == 0
                        ? 0 : min(largest, (sample &* largest &+ opacity / 2) / opacity)
                }
                row[pixel * (bands + 1) + band] = Sample(truncatingIfNeeded: sample)
            }
            row[pixel * (bands + 1) + bands] = alpha[pixel]
        }
    }
}

private struct Mapping {
    let pixels: Range<Int>
    let plane: Range<Int>
    let isBackwards: Bool

    var isScaled: Bool { pixels.count != plane.count }

    @inline(__always)
    subscript(position: Int) -> Int {
        let offset = position - pixels.lowerBound
        guard isBackwards else { return plane.lowerBound + offset * plane.count / pixels.count }
        return plane.upperBound - 1 - (pixels.count - 1 - offset) * plane.count / pixels.count
    }

    func range(_ positions: Range<Int>) -> Range<Int> {
        self[positions.lowerBound]..<self[positions.upperBound - 1] + 1
    }
}
