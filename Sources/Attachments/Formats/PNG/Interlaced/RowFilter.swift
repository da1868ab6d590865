internal import CPredictors

/// Filters of rows (PNG specification, third edition, 9.2).
enum RowFilter: UInt8 {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4

    /// Reverses the filter.
    ///
    /// On input, `row` is the row above, or zeros for the first row; both buffers need
    /// `RowBuffer.padding`, and `count` is a multiple of `unit`: 1, 2, 3, 4, 6 or 8 bytes of a
    /// pixel.
    func undo(
        _ filtered: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>, count: Int, unit: Int
    ) {
        thimble_unfilter(CInt(rawValue), filtered, row, count, unit)
    }
}
