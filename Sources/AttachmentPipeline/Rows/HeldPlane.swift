import AttachmentContainer
import AttachmentFormats
import AttachmentModel

/// A plane of 8-bit samples, in memory or in a scratch file.
///
/// For a quarter turn it is stored in stripes of 64 columns. Writing then touches every page once,
/// and so does reading the columns in order; with whole rows each column would touch every page.
struct HeldPlane {
    private static let stripeWidth = 64

    let size: PixelSize
    private let bands: Int
    private let stripe: Int
    private let memory: FrameMemory

    init(
        _ size: PixelSize, bands: Int, isReadByColumns: Bool, scratch: ScratchSpace?
    ) throws(DecodingFault) {
        (self.size, self.bands) = (size, bands)
        stripe = isReadByColumns ? Self.stripeWidth : size.width
        memory = try FrameMemory(
            bytes: size.pixelCount * bands, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
    }

    /// All samples, in an order that is not that of the picture.
    var samples: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory.bytes.prefix(size.pixelCount * bands))
    }

    /// First byte and width of the stripe with column `x`.
    private func stripe(at x: Int) -> (start: Int, left: Int, width: Int) {
        let left = x / stripe * stripe
        return (left * size.height, left, min(stripe, size.width - left))
    }

    func write(_ row: UnsafeBufferPointer<UInt8>, at y: Int) {
        let source = UnsafeRawBufferPointer(row)
        for left in Swift.stride(from: 0, to: size.width, by: stripe) {
            let (start, _, width) = stripe(at: left)
            let target = (start + y * width) * bands
            UnsafeMutableRawBufferPointer(rebasing: memory.bytes[target..<target + width * bands])
                .copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: source[left * bands..<(left + width) * bands]))
        }
        memory.mapping?.startWritingOut(after: row.count)
    }

    /// Writes one sample of every pixel in a row.
    func write(_ row: UnsafeBufferPointer<UInt8>, at y: Int, band: Int) {
        for left in Swift.stride(from: 0, to: size.width, by: stripe) {
            let (start, _, width) = stripe(at: left)
            let target = (start + y * width) * bands + band
            for x in 0..<width { memory.bytes[target + x * bands] = row[left + x] }
        }
        memory.mapping?.startWritingOut(after: row.count)
    }

    /// Reads samples along a row or a column, backward if `reversed`.
    ///
    /// `range` counts from the end that reading starts at.
    func read(
        _ line: Line, _ range: Range<Int>, reversed: Bool,
        into row: UnsafeMutableBufferPointer<UInt8>
    ) {
        let length: Int
        let offset: (Int) -> Int
        switch line {
        case .row(let y):
            length = size.width
            if stripe == size.width {
                let start = (y * size.width + range.lowerBound) * bands
                if !reversed {
                    UnsafeMutableRawBufferPointer(row).copyMemory(
                        from: UnsafeRawBufferPointer(
                            rebasing: memory.bytes[start..<start + range.count * bands]))
                    return
                }
            }
            offset = { x in
                let (start, left, width) = stripe(at: x)
                return (start + y * width + x - left) * bands
            }
        case .column(let x):
            length = size.height
            let (start, left, width) = stripe(at: x)
            offset = { y in (start + y * width + x - left) * bands }
        }
        for (index, position) in range.enumerated() {
            let source = offset(reversed ? length - 1 - position : position)
            for band in 0..<bands { row[index * bands + band] = memory.bytes[source + band] }
        }
    }

    enum Line {
        case row(Int)
        case column(Int)
    }
}
