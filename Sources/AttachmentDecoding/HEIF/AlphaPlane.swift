internal import AttachmentContainer
internal import AttachmentIntake

/// The alpha plane of a picture, an auxiliary picture of its own (ISO/IEC 23008-12, 6.5.8).
///
/// One of another size than its picture is scaled to it, as libheif does: each pixel of the upright
/// picture takes the nearest above and to the left.
final class AlphaPlane {
    private let mosaic: FrameMosaic
    private let across: Mapping
    private let down: Mapping
    private let bytesPerSample: Int
    private let isPremultiplied: Bool
    /// Samples of one row, as stored and as scaled.
    private var storedRow: [UInt8] = []
    private var scaledRow: [UInt8] = []

    /// Puts a plane over a picture.
    ///
    /// - Parameters:
    ///   - mosaic: The plane.
    ///   - picture: The picture, which says where the plane lies.
    ///   - bytesPerSample: What samples of the picture take, and so those of its alpha.
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
        let (seen, plane) = (placement.picture, placement.plane)
        across = Mapping(
            seen.column, seen.size.width, to: plane.column, plane.size.width,
            isBackwards: seen.orientation.readsColumnsBackwards)
        down = Mapping(
            seen.row, seen.size.height, to: plane.row, plane.size.height,
            isBackwards: seen.orientation.readsRowsBackwards)
    }

    /// Decodes what is missing of a part of the picture, and lets go what lies outside.
    ///
    /// - Parameters:
    ///   - columns: Pixels across, inside the seen part of the picture, at least one.
    ///   - rows: Pixels down, inside the seen part of the picture, at least one.
    /// - Throws: `DecodingFault`.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        try mosaic.hold(columns: across.range(columns), rows: down.range(rows))
    }

    /// Lets go everything that is held.
    func release() { mosaic.release() }

    /// Reads alpha of a part that is held and puts it beside the colours.
    ///
    /// - Parameters:
    ///   - y: The row of the picture.
    ///   - columns: Which of its pixels.
    ///   - colours: The pixels without alpha.
    ///   - bands: Samples of a pixel without alpha.
    ///   - row: Room for the pixels with alpha.
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
                for (place, x) in columns.enumerated() {
                    let source = across[x] - stored.lowerBound
                    for byte in 0..<bytes {
                        scaled[place * bytes + byte] = row[source * bytes + byte]
                    }
                }
            }
        }
    }

    /// - Precondition: `colours` has `count * bands` samples, `alpha` `count`, and `row` both.
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
                    // Rounded to the nearest; a colour above its alpha is not to be had.
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

/// Positions along a side of the picture, as positions along that of the plane.
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

    /// The position of the plane for one of the picture, which lies inside of the seen part.
    @inline(__always)
    subscript(position: Int) -> Int {
        let place = position - start
        guard isBackwards else { return planeStart + place * planeCount / count }
        return planeStart + planeCount - 1 - (count - 1 - place) * planeCount / count
    }

    func range(_ positions: Range<Int>) -> Range<Int> {
        self[positions.lowerBound]..<self[positions.upperBound - 1] + 1
    }
}
