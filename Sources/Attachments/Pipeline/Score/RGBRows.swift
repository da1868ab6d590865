#if SYSTEM_CODECS
    import AttachmentContainer
    import AttachmentFormats
    internal import CJPEG

    /// Rows of interleaved RGB from the planes of a picture without transparency.
    ///
    /// Halved chroma is upsampled as libjpeg's decoder does by default.
    final class RGBRows {
        private let rows: any PlaneRows
        private let width: Int
        private let isHalved: Bool
        private var planes: [RowWindow]
        /// Chroma of a row, upsampled.
        private var chroma: [[UInt8]]
        private var y = 0

        /// - Parameters:
        ///   - rows: The planes: grey or RGB, with or without alpha, or YCbCr as 4:4:4 or 4:2:0.
        ///   - rowsAtOnce: The most rows of the first plane that one reading passes on.
        init(_ rows: any PlaneRows, rowsAtOnce: Int) {
            self.rows = rows
            let layout = rows.layout
            width = layout.planes[0].size.width
            isHalved = layout.planes.count > 1 && layout.planes[1].size != layout.planes[0].size
            planes = layout.planes.enumerated().map { index, plane in
                // The row of chroma below may come with further rows of luma.
                let rows =
                    index > 0 && layout.planes[1].size != layout.planes[0].size
                    ? (rowsAtOnce + 1) / 2 : rowsAtOnce
                return RowWindow(
                    rowBytes: plane.size.width * layout.bands, height: plane.size.height,
                    capacity: rows + 2)
            }
            chroma = Array(
                repeating: Array(repeating: 0, count: isHalved ? width : 0), count: 2)
        }

        /// Reads the next row; false at the end.
        func next(
            into pixels: UnsafeMutableBufferPointer<UInt8>
        ) throws(DecodingFault) -> Bool {
            guard y < planes[0].height else { return false }
            let (near, far) = isHalved ? (y / 2, y / 2 + (y % 2 == 0 ? -1 : 1)) : (y, y)
            let last = planes[planes.count - 1].height - 1
            let needed = min(max(near, far), last)
            while planes[0].count <= y || planes[planes.count - 1].count <= needed {
                let isRead = try rows.next { plane, row in planes[plane].append(row) }
                guard isRead else { return false }
            }
            write(near, min(max(0, far), last), into: pixels)
            y += 1
            return true
        }

        private func write(
            _ near: Int, _ far: Int, into pixels: UnsafeMutableBufferPointer<UInt8>
        ) {
            let luma = planes[0].row(y)
            guard planes.count > 1 else {
                copy(luma, into: pixels)
                return
            }
            guard isHalved else {
                thimble_jpeg_weave_rgb(
                    luma.baseAddress, planes[1].row(y).baseAddress, planes[2].row(y).baseAddress,
                    CInt(width), pixels.baseAddress)
                return
            }
            for plane in 1...2 {
                thimble_jpeg_upsample_row(
                    planes[plane].row(near).baseAddress, planes[plane].row(far).baseAddress,
                    CInt(width), &chroma[plane - 1])
            }
            thimble_jpeg_weave_rgb(
                luma.baseAddress, chroma[0], chroma[1], CInt(width), pixels.baseAddress)
        }

        private func copy(
            _ row: UnsafeBufferPointer<UInt8>, into pixels: UnsafeMutableBufferPointer<UInt8>
        ) {
            let bands = rows.layout.bands
            guard bands != 3 else {
                _ = pixels.update(fromContentsOf: row)
                return
            }
            for x in 0..<width {
                for band in 0..<3 {
                    pixels[3 * x + band] = row[bands * x + (bands > 2 ? band : 0)]
                }
            }
        }
    }

    /// The last rows of a plane.
    private final class RowWindow {
        let height: Int
        /// Number of rows so far.
        private(set) var count = 0
        private let rowBytes: Int
        private let capacity: Int
        private let bytes: UnsafeMutableBufferPointer<UInt8>

        init(rowBytes: Int, height: Int, capacity: Int) {
            (self.rowBytes, self.height, self.capacity) = (rowBytes, height, capacity)
            bytes = .allocate(capacity: rowBytes * capacity)
            bytes.initialize(repeating: 0)
        }

        func append(_ row: UnsafeRawPointer) {
            UnsafeMutableRawBufferPointer(slot(count)).copyMemory(
                from: UnsafeRawBufferPointer(start: row, count: rowBytes))
            count += 1
        }

        /// A row that is among the last ones; valid until it is overwritten.
        func row(_ y: Int) -> UnsafeBufferPointer<UInt8> {
            precondition(y < count && y >= count - capacity)
            return UnsafeBufferPointer(slot(y))
        }

        private func slot(_ y: Int) -> UnsafeMutableBufferPointer<UInt8> {
            let start = y % capacity * rowBytes
            return UnsafeMutableBufferPointer(rebasing: bytes[start..<start + rowBytes])
        }

        deinit { bytes.deallocate() }
    }
#endif
