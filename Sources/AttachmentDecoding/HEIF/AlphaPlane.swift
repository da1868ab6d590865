internal import AttachmentContainer
internal import AttachmentIntake

/// The alpha plane of a picture, an auxiliary picture of its own (ISO/IEC 23008-12, 6.5.8).
///
/// One of another size than its picture is scaled to it, each pixel taking the nearest above and to
/// the left.
final class AlphaPlane {
    private let mosaic: FrameMosaic
    private let picture: PixelSize
    private let bytesPerSample: Int
    private let isPremultiplied: Bool
    /// Samples of one row, as stored and as scaled.
    private var storedRow: [UInt8] = []
    private var scaledRow: [UInt8] = []

    /// Puts a plane over a picture.
    ///
    /// - Parameters:
    ///   - mosaic: The plane.
    ///   - picture: The size of the picture, in pixels.
    ///   - bytesPerSample: What samples of the picture take, and so those of its alpha.
    ///   - isPremultiplied: Whether colours were multiplied by alpha, which is undone.
    init(
        _ mosaic: FrameMosaic, over picture: PixelSize, bytesPerSample: Int, isPremultiplied: Bool
    ) {
        self.mosaic = mosaic
        self.picture = picture
        self.bytesPerSample = bytesPerSample
        self.isPremultiplied = isPremultiplied
    }

    private var isScaled: Bool { mosaic.coded.size != picture }

    /// Decodes what is missing of a part of the picture, and lets go what lies outside.
    ///
    /// - Parameters:
    ///   - columns: Pixels across, inside the picture, at least one.
    ///   - rows: Pixels down, inside the picture, at least one.
    /// - Throws: `DecodingFault`.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        let size = mosaic.coded.size
        try mosaic.hold(
            columns: Self.scaled(columns, from: picture.width, to: size.width),
            rows: Self.scaled(rows, from: picture.height, to: size.height))
    }

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
        let isScaled = isScaled
        if isScaled { readScaled(y, columns: columns) } else { readStored(y, columns: columns) }
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
        let size = mosaic.coded.size
        let stored = Self.scaled(columns, from: picture.width, to: size.width)
        readStored(y * size.height / picture.height, columns: stored)
        let needed = columns.count * bytesPerSample
        if scaledRow.count < needed { scaledRow = Array(repeating: 0, count: needed) }
        let (bytes, sides) = (bytesPerSample, (from: picture.width, to: size.width))
        scaledRow.withUnsafeMutableBytes { scaled in
            storedRow.withUnsafeBytes { row in
                for (place, x) in columns.enumerated() {
                    let source = x * sides.to / sides.from - stored.lowerBound
                    for byte in 0..<bytes {
                        scaled[place * bytes + byte] = row[source * bytes + byte]
                    }
                }
            }
        }
    }

    /// The pixels that some pixels of a side of another length are taken from.
    private static func scaled(_ pixels: Range<Int>, from side: Int, to other: Int) -> Range<Int> {
        pixels.lowerBound * other / side..<(pixels.upperBound - 1) * other / side + 1
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
