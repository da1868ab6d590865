import CPredictors

/// Inverse of the fourteen predictors (RFC 9649, section 3.5.1), each a loop over pixels of a row.
///
/// Each loop turns residuals in `row` into pixels; the pixel before the first column is already
/// done. `above` has one pixel more than the row: the first pixel of `row` itself.
enum Predictor {
    typealias Row = UnsafeMutablePointer<UInt32>
    typealias Above = UnsafePointer<UInt32>
    /// Prediction of the first pixel, and of every pixel in mode 0.
    static let black: UInt32 = 0xFF00_0000

    /// Reverses a prediction for a range of columns, which starts at 1 or later if the mode needs a
    /// left pixel.
    ///
    /// Encoders do not write modes 14 and 15, which libwebp treats as 0.
    static func undo(_ mode: Int, _ row: Row, _ above: Above, _ columns: Range<Int>) {
        guard waitsForLeft(mode) else { return undoStep(mode, row, above, columns) }
        var first = columns.lowerBound
        while first < columns.upperBound {
            first = Int(thimble_fill_flat(row, above, Int32(first), columns.end32))
            let end = min(first + step, columns.upperBound)
            if first < end { undoStep(mode, row, above, first..<end) }
            first = end
        }
    }

    /// Pixels between searches for a flat part, which take a fiftieth of the time that they need.
    private static let step = 32

    /// True for modes that predict a pixel from the one before, other than by copying it, and so take
    /// the same of equal neighbours.
    @inline(__always)
    private static func waitsForLeft(_ mode: Int) -> Bool {
        switch mode {
        case 5, 6, 7, 10...13: true
        default: false
        }
    }

    @inline(__always)
    private static func undoStep(_ mode: Int, _ row: Row, _ above: Above, _ columns: Range<Int>) {
        switch mode {
        case 1: addLeft(row, columns)
        case 2: add(above, to: row, columns)
        case 3: add(above + 1, to: row, columns)
        case 4: add(above - 1, to: row, columns)
        case 5: undo(row, above, columns) { $0.averagingChannels($3).averagingChannels($1) }
        case 6:
            undo(row, above, columns) { left, _, corner, _ in left.averagingChannels(corner) }
        case 7: undo(row, above, columns) { left, top, _, _ in left.averagingChannels(top) }
        case 8: addAverage(above - 1, above, to: row, columns)
        case 9: addAverage(above, above + 1, to: row, columns)
        case 10:
            undo(row, above, columns) {
                $0.averagingChannels($2).averagingChannels($1.averagingChannels($3))
            }
        case 11: thimble_add_selected(row, above, columns.first32, columns.end32)
        case 12: thimble_add_gradient(row, above, columns.first32, columns.end32)
        case 13: thimble_add_half_gradient(row, above, columns.first32, columns.end32)
        default: addBlack(row, columns)
        }
    }

    private static func addBlack(_ row: Row, _ columns: Range<Int>) {
        for x in columns { row[x] &+= black }
    }

    static func addLeft(_ row: Row, _ columns: Range<Int>) {
        thimble_add_left(row, columns.first32, columns.end32)
    }

    @inline(__always)
    private static func add(_ predicted: Above, to row: Row, _ columns: Range<Int>) {
        for x in columns { row[x] = row[x].addingChannels(predicted[x]) }
    }

    @inline(__always)
    private static func addAverage(
        _ first: Above, _ second: Above, to row: Row, _ columns: Range<Int>
    ) {
        for x in columns {
            row[x] = row[x].addingChannels(first[x].averagingChannels(second[x]))
        }
    }

    @inline(__always)
    private static func undo(
        _ row: Row, _ above: Above, _ columns: Range<Int>,
        _ predict: (UInt32, UInt32, UInt32, UInt32) -> UInt32
    ) {
        var left = row[columns.lowerBound - 1]
        for x in columns {
            left = row[x].addingChannels(predict(left, above[x], above[x - 1], above[x + 1]))
            row[x] = left
        }
    }
}

extension Range<Int> {
    // A row has at most 16,384 pixels.
    fileprivate var first32: Int32 { Int32(lowerBound) }
    fileprivate var end32: Int32 { Int32(upperBound) }
}
