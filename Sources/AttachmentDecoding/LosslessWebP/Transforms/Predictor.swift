/// The fourteen ways of predicting a pixel from its neighbours (RFC 9649, section 3.5.1), each as a
/// loop over pixels of one row.
///
/// Every loop takes differences in `row` and leaves pixels there; the pixel before the first is
/// done. `above` is the row above, with one pixel more than the row: that behind the last is the
/// first of the row itself.
enum Predictor {
    /// Pixels of a row, and of that above it.
    typealias Row = UnsafeMutablePointer<UInt32>
    /// Pixels that are only read.
    typealias Above = UnsafePointer<UInt32>
    /// What the first pixel of a picture is predicted from, and mode 0 all of them.
    static let black: UInt32 = 0xFF00_0000

    /// Undoes a prediction.
    ///
    /// - Parameters:
    ///   - mode: 0 to 15; 14 and 15 are those that encoders do not make, and libwebp takes for 0.
    ///   - row: The differences.
    ///   - above: The pixels above.
    ///   - columns: Which of them, from 1 on where the mode needs a pixel to the left.
    static func undo(_ mode: Int, _ row: Row, _ above: Above, _ columns: Range<Int>) {
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
        case 11: addSelected(row, above, columns)
        case 12: addClampedGradient(row, above, columns)
        case 13: addClampedHalfGradient(row, above, columns)
        default: addBlack(row, columns)
        }
    }

    private static func addBlack(_ row: Row, _ columns: Range<Int>) {
        for x in columns { row[x] &+= black }
    }

    /// Mode 1.
    static func addLeft(_ row: Row, _ columns: Range<Int>) {
        var left = row[columns.lowerBound - 1]
        for x in columns {
            left = left.addingChannels(row[x])
            row[x] = left
        }
    }

    /// Modes 2 to 4: the three neighbours above.
    @inline(__always)
    private static func add(_ predicted: Above, to row: Row, _ columns: Range<Int>) {
        for x in columns { row[x] = row[x].addingChannels(predicted[x]) }
    }

    /// Modes 8 and 9: two neighbours above.
    @inline(__always)
    private static func addAverage(
        _ first: Above, _ second: Above, to row: Row, _ columns: Range<Int>
    ) {
        for x in columns {
            row[x] = row[x].addingChannels(first[x].averagingChannels(second[x]))
        }
    }

    /// Undoes a prediction from the pixels to the left, above, above and left, above and right.
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

    /// Mode 11: that of the neighbours to the left and above which the gradient is nearer to.
    private static func addSelected(_ row: Row, _ above: Above, _ columns: Range<Int>) {
        var left = row[columns.lowerBound - 1].channels
        var corner = above[columns.lowerBound - 1].channels
        let bytes = SIMD4<Int16>(repeating: 255)
        for x in columns {
            let top = above[x].channels
            // All ones where the left one is taken: a branch would be mispredicted for every other
            // pixel of a photograph.
            let nearer = ((top &- corner).magnitudes &- (left &- corner).magnitudes).wrappedSum()
            let isLeft = SIMD4(repeating: nearer) &>> 15
            left = ((top ^ ((top ^ left) & isLeft)) &+ row[x].channels) & bytes
            row[x] = UInt32(channels: left)
            corner = top
        }
    }

    /// Mode 12: left + top − corner.
    private static func addClampedGradient(_ row: Row, _ above: Above, _ columns: Range<Int>) {
        var left = row[columns.lowerBound - 1].channels
        var corner = above[columns.lowerBound - 1].channels
        let bytes = SIMD4<Int16>(repeating: 255)
        for x in columns {
            let top = above[x].channels
            left = ((left &+ (top &- corner)).clampedToBytes &+ row[x].channels) & bytes
            row[x] = UInt32(channels: left)
            corner = top
        }
    }

    /// Mode 13: the average of left and top, and half of its distance from the corner more.
    private static func addClampedHalfGradient(
        _ row: Row, _ above: Above, _ columns: Range<Int>
    ) {
        var left = row[columns.lowerBound - 1]
        for x in columns {
            let average = left.averagingChannels(above[x]).channels
            let difference = average &- above[x - 1].channels
            // Division rounds towards 0, as that of C does.
            let half = (difference &+ ((difference &>> 15) & 1)) &>> 1
            left = UInt32(channels: (average &+ half).clampedToBytes).addingChannels(row[x])
            row[x] = left
        }
    }
}
