internal import AttachmentContainer

/// What a picture keeps when its margins are cut off (ISO/IEC 14496-12, 12.1.4).
///
/// Its sides and the way of its centre from the picture's are fractions.
struct CleanAperture {
    /// The sides, rounded to whole pixels as libheif does.
    let size: PixelSize
    /// Where it stands in the file.
    let offset: Int
    private let width: Fraction
    private let height: Fraction
    private let horizontalOffset: Fraction
    private let verticalOffset: Fraction

    /// Reads the box.
    ///
    /// - Parameter payload: What the `clap` box holds.
    /// - Throws: `corrupt`, `truncated`, `noPixels`, `overBudget`, `unreadable`.
    init(_ payload: inout Cursor) throws(HeaderFault) {
        offset = payload.offset
        width = try Fraction(&payload, isSigned: false)
        height = try Fraction(&payload, isSigned: false)
        horizontalOffset = try Fraction(&payload, isSigned: true)
        verticalOffset = try Fraction(&payload, isSigned: true)
        size = try PixelSize(claimed: width.rounded, height.rounded)
    }

    /// Where the aperture lies in a picture, without what falls outside.
    ///
    /// - Parameter picture: The size that is cropped, in pixels.
    /// - Returns: Columns and rows; nil when nothing is left.
    func place(in picture: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
        let left = horizontalOffset.start(of: width, in: picture.width, roundsHalves: false)
        let top = verticalOffset.start(of: height, in: picture.height, roundsHalves: true)
        let columns = max(left, 0)..<max(min(left + size.width, picture.width), max(left, 0))
        let rows = max(top, 0)..<max(min(top + size.height, picture.height), max(top, 0))
        return columns.isEmpty || rows.isEmpty ? nil : (columns, rows)
    }
}

extension CleanAperture {
    /// A number of 32 bits by another.
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

        /// The nearest whole number; halves are rounded up.
        var rounded: Int { (2 * numerator + denominator) / (2 * denominator) }

        /// The first pixel of a side whose centre lies this far from a picture's.
        ///
        /// 12.1.4.1: the centre is at this + (extent − 1) / 2, the first pixel (side − 1) / 2 before
        /// it. Between pixels libheif 1.15 takes the left one and the lower one, and so do we. No
        /// factor has more than 33 bits.
        func start(of side: Fraction, in extent: Int, roundsHalves: Bool) -> Int {
            let (offset, unit) = (Int128(numerator), Int128(denominator))
            let (count, part) = (Int128(side.numerator), Int128(side.denominator))
            let dividend = 2 * offset * part + (Int128(extent) * part - count) * unit
            let half = roundsHalves ? unit * part : 0
            return Int((dividend + half) / (2 * unit * part))
        }
    }
}
