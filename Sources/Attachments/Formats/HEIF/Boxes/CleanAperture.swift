internal import AttachmentContainer
internal import AttachmentModel

/// Crop of a picture (ISO/IEC 14496-12, 12.1.4); its centre is relative to the picture's.
struct CleanAperture {
    /// Size, rounded to whole pixels as in libheif.
    let size: PixelSize
    let offset: Int
    private let width: Fraction
    private let height: Fraction
    private let horizontalOffset: Fraction
    private let verticalOffset: Fraction

    init(_ payload: inout Cursor) throws(HeaderFault) {
        offset = payload.offset
        width = try Fraction(&payload, isSigned: false)
        height = try Fraction(&payload, isSigned: false)
        horizontalOffset = try Fraction(&payload, isSigned: true)
        verticalOffset = try Fraction(&payload, isSigned: true)
        size = try PixelSize(claimed: width.rounded, height.rounded)
    }

    func place(in picture: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
        let left = horizontalOffset.start(of: width, in: picture.width, roundsHalves: false)
        let top = verticalOffset.start(of: height, in: picture.height, roundsHalves: true)
        let columns = (left..<left + size.width).clamped(to: 0..<picture.width)
        let rows = (top..<top + size.height).clamped(to: 0..<picture.height)
        return columns.isEmpty || rows.isEmpty ? nil : (columns, rows)
    }
}

extension CleanAperture {
    private struct Fraction {
        let numerator: Int
        let denominator: Int

        init(_ payload: inout Cursor, isSigned: Bool) throws(HeaderFault) {
            let bits = try payload.uint32()
            numerator = isSigned ? Int(Int32(bitPattern: bits)) : Int(bits)
            denominator = Int(try payload.uint32())
            guard denominator > 0 else {
                throw .corrupt("a clean aperture divided by zero", at: payload.offset - 4)
            }
        }

        var rounded: Int { (2 * numerator + denominator) / (2 * denominator) }

        /// First pixel of a side, given the offset of its centre from the picture's centre.
        ///
        /// 12.1.4.1: the centre is at offset + (extent − 1) / 2, the first pixel (side − 1) / 2
        /// before it. Between two pixels libheif 1.15 takes the left and the lower one, as does
        /// this code. `Int128` would require iOS 18.
        func start(of side: Fraction, in extent: Int, roundsHalves: Bool) -> Int {
            // In halves of a pixel: an integer, and the difference of two fractions below one.
            let centre = (2 * numerator).dividedDown(by: denominator)
            let length = side.numerator.dividedDown(by: side.denominator)
            let halves = centre.quotient + extent - length.quotient + (roundsHalves ? 1 : 0)
            let (added, subtracted) = (
                UInt(centre.remainder).multipliedFullWidth(by: UInt(side.denominator)),
                UInt(length.remainder).multipliedFullWidth(by: UInt(denominator))
            )
            return if halves > 0, added < subtracted {
                (halves - 1) / 2
            } else if halves < 0, added > subtracted {
                (halves + 1) / 2
            } else {
                halves / 2
            }
        }
    }
}

extension Int {
    /// Quotient rounded down, and the remainder from zero.
    fileprivate func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
