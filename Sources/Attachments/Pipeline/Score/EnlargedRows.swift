#if SYSTEM_CODECS
    import AttachmentContainer
    import AttachmentFormats

    /// Rows of RGB enlarged to a size by linear interpolation, as displays show a smaller picture.
    ///
    /// Samples lie in the centres of pixels. Interpolation is exact to 1/256, in integers.
    final class EnlargedRows {
        private let rows: RGBRows
        private let source: PixelSize
        private let size: PixelSize
        /// By column, the first of two source columns and the weight of the second in 1/256.
        private let columns: [Place]
        private var row: [UInt8]
        /// The last two source rows, enlarged along the row.
        private var wide: [[UInt8]]
        private var rowsRead = 0
        private var y = 0

        private struct Place {
            let first: Int32
            let weight: Int32

            /// The place of a sample among `count` samples of the source.
            init(_ index: Int, of length: Int, in count: Int) {
                // Twice the distance from the first sample's centre, in 1/length.
                let position = (2 * index + 1) * count - length
                let steps = 256 * position / (2 * length)
                let clamped = min(256 * (count - 1), max(0, steps))
                let first = min(clamped / 256, max(0, count - 2))
                (self.first, weight) = (Int32(first), Int32(clamped - 256 * first))
            }
        }

        /// - Parameters:
        ///   - rows: Rows of RGB.
        ///   - source: Their size.
        ///   - size: The size to enlarge to, no smaller.
        init(_ rows: RGBRows, of source: PixelSize, to size: PixelSize) {
            (self.rows, self.source, self.size) = (rows, source, size)
            let isEqual = source == size
            columns =
                isEqual ? [] : (0..<size.width).map { Place($0, of: size.width, in: source.width) }
            row = Array(repeating: 0, count: isEqual ? 0 : 3 * source.width)
            wide = Array(
                repeating: Array(repeating: 0, count: isEqual ? 0 : 3 * size.width), count: 2)
        }

        /// Reads the next row; false at the end.
        func next(
            into pixels: UnsafeMutableBufferPointer<UInt8>
        ) throws(DecodingFault) -> Bool {
            guard source != size else { return try rows.next(into: pixels) }
            guard y < size.height else { return false }
            let place = Place(y, of: size.height, in: source.height)
            let second = min(Int(place.first) + 1, source.height - 1)
            while rowsRead <= second {
                guard try readRow() else { return false }
            }
            blend(wide[Int(place.first) % 2], wide[second % 2], place.weight, into: pixels)
            y += 1
            return true
        }

        private func readRow() throws(DecodingFault) -> Bool {
            let isRead = try row.withUnsafeMutableBufferPointer { row in
                Result { () throws(DecodingFault) in try rows.next(into: row) }
            }.get()
            guard isRead else { return false }
            let step = source.width > 1 ? 3 : 0
            row.withUnsafeBufferPointer { row in
                wide[rowsRead % 2].withUnsafeMutableBufferPointer { wide in
                    for (x, place) in columns.enumerated() {
                        let first = 3 * Int(place.first)
                        for band in 0..<3 {
                            let (one, other) = (
                                Int32(row[first + band]), Int32(row[first + step + band])
                            )
                            wide[3 * x + band] = UInt8(
                                truncatingIfNeeded: (256 * one + (other - one) * place.weight + 128)
                                    >> 8)
                        }
                    }
                }
            }
            rowsRead += 1
            return true
        }

        private func blend(
            _ one: [UInt8], _ other: [UInt8], _ weight: Int32,
            into pixels: UnsafeMutableBufferPointer<UInt8>
        ) {
            one.withUnsafeBufferPointer { one in
                other.withUnsafeBufferPointer { other in
                    for index in 0..<min(one.count, other.count, pixels.count) {
                        let first = Int32(one[index])
                        let sum = 256 * first + (Int32(other[index]) - first) * weight + 128
                        pixels[index] = UInt8(truncatingIfNeeded: sum >> 8)
                    }
                }
            }
        }
    }
#endif
