internal import AttachmentContainer

/// Alpha plane of a picture: an auxiliary picture (ISO/IEC 23008-12, 6.5.8).
///
/// A plane of another size is scaled as in libheif: each pixel of the upright picture takes the
/// nearest one above and to the left.
final class AlphaPlane {
    private let mosaic: FrameMosaic
    private let across: Mapping
    private let down: Mapping
    private let bytesPerSample: Int
    private let isPremultiplied: Bool
    /// One row of samples, as stored and as scaled.
    private var storedRow: [UInt8] = []
    private var scaledRow: [UInt8] = []

    /// `picture` places the plane over its pixels; `bytesPerSample` is that of the picture.
    init(_ mosaic: FrameMosaic, over picture: StoredPicture, bytesPerSample: Int) {
        self.mosaic = mosaic
        self.bytesPerSample = bytesPerSample
        isPremultiplied = picture.isPremultiplied
        let whole = picture.colour.size
        guard let placement = picture.alphaPlacement else {
            across = Mapping(0, whole.width, to: 0, whole.width, isBackwards: false)
            down = Mapping(0, whole.height, to: 0, whole.height, isBackwards: false)
            return
        }
        let (visible, plane) = (placement.picture, placement.plane)
        across = Mapping(
            visible.column, visible.size.width, to: plane.column, plane.size.width,
            isBackwards: visible.orientation.readsColumnsBackwards)
        down = Mapping(
            visible.row, visible.size.height, to: plane.row, plane.size.height,
            isBackwards: visible.orientation.readsRowsBackwards)
    }

    /// Decodes the tiles that cover a part of the picture, and releases all others.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        try mosaic.hold(columns: across.range(columns), rows: down.range(rows))
    }

    func release() { mosaic.release() }

    /// Interleaves colours and alpha of a row; its part must be held.
    func join(
        _ y: Int, columns: Range<Int>, colours: UnsafeMutableRawBufferPointer, bands: Int,
        into row: UnsafeMutableRawBufferPointer
    ) {
        let count = columns.count
        let isScaled = across.isScaled
        if isScaled {
            readScaled(y, columns: columns)
        } else {
            readStored(down[y], columns: across.range(columns))
        }
        (isScaled ? scaledRow : storedRow).withUnsafeBytes { alpha in
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

    private func readScaled(_ y: Int, columns: Range<Int>) {
        let stored = across.range(columns)
        readStored(down[y], columns: stored)
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

/// Maps positions along one side of the picture to the plane.
private struct Mapping {
    private let start: Int
    private let count: Int
    private let planeStart: Int
    private let planeCount: Int
    private let isBackwards: Bool

    init(_ start: Int, _ count: Int, to planeStart: Int, _ planeCount: Int, isBackwards: Bool) {
        (self.start, self.count) = (start, count)
        (self.planeStart, self.planeCount) = (planeStart, planeCount)
        self.isBackwards = isBackwards
    }

    var isScaled: Bool { count != planeCount }

    @inline(__always)
    subscript(position: Int) -> Int {
        let offset = position - start
        guard isBackwards else { return planeStart + offset * planeCount / count }
        return planeStart + planeCount - 1 - (count - 1 - offset) * planeCount / count
    }

    func range(_ positions: Range<Int>) -> Range<Int> {
        self[positions.lowerBound]..<self[positions.upperBound - 1] + 1
    }
}
