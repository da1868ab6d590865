import AttachmentContainer
import AttachmentFormats
import AttachmentModel
internal import CResampler

/// A plane of 8-bit samples, in memory or in a scratch file.
///
/// For a quarter turn it is stored in stripes of 64 columns. Writing then touches every page once,
/// and so does reading the columns in order; with whole rows each column would touch every page.
struct HeldPlane {
    private static let stripeWidth = 64

    let size: PixelSize
    private let bands: Int
    private let isReadByColumns: Bool
    /// Columns of a stripe.
    private let stripe: Int
    private let memory: FrameMemory

    init(
        _ size: PixelSize, bands: Int, isReadByColumns: Bool, scratch: ScratchSpace?
    ) throws(DecodingFault) {
        (self.size, self.bands, self.isReadByColumns) = (size, bands, isReadByColumns)
        stripe = isReadByColumns ? Self.stripeWidth : size.width
        memory = try FrameMemory(
            bytes: size.pixelCount * bands, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
    }

    /// All samples, in an order other than the picture's.
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

    /// Writes one band of every pixel in a row, from a row of another plane of `count` interleaved samples.
    ///
    /// With `isWithAlpha`, each sample is followed by its alpha, which becomes the fourth band beside band
    /// 0.
    func write(
        _ row: UnsafeBufferPointer<UInt8>, of count: Int, at y: Int, band: Int, isWithAlpha: Bool
    ) {
        guard let samples = row.baseAddress,
            let pixels = memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        for left in Swift.stride(from: 0, to: size.width, by: stripe) {
            let (start, _, width) = stripe(at: left)
            let target = pixels + (start + y * width) * bands
            let source = samples + left * count
            if isWithAlpha {
                thimble_weave_pairs(target, source, CInt(width))
            } else {
                thimble_weave(target, CInt(bands), CInt(band), source, CInt(count), CInt(width))
            }
        }
        memory.mapping?.startWritingOut(after: isWithAlpha ? row.count : row.count / count)
    }

    /// Reads part of a row, or of a column if the plane is read by columns; backward if `reversed`.
    ///
    /// `range` counts from the end that reading starts at.
    func read(
        line: Int, _ range: Range<Int>, reversed: Bool,
        into row: UnsafeMutableBufferPointer<UInt8>
    ) {
        let (start, left, width) = stripe(at: isReadByColumns ? line : 0)
        let first = isReadByColumns ? start + line - left : line * size.width
        let step = (isReadByColumns ? width : 1) * bands
        let last = (isReadByColumns ? size.height : size.width) - 1
        let begin = (reversed ? last - range.lowerBound : range.lowerBound) * step
        var source = first * bands + begin
        if !isReadByColumns, !reversed {
            UnsafeMutableRawBufferPointer(row).copyMemory(
                from: UnsafeRawBufferPointer(
                    rebasing: memory.bytes[source..<source + range.count * bands]))
            return
        }
        let bytes = memory.bytes
        for index in 0..<range.count {
            for band in 0..<bands { row[index * bands + band] = bytes[source + band] }
            source += reversed ? -step : step
        }
    }
}
