internal import AttachmentModel

protocol StoredRows: AnyObject {
    var bands: Int { get }
    var bytesPerSample: Int { get }
    var isToneMapped: Bool { get }
    /// Colours after any tone mapping; nil for sRGB.
    var tags: ColourTags? { get }
    var tileWidth: Int { get }

    /// Releases all tiles outside a part of the picture, which is not empty.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault)

    /// `row` has room for `pixelBytes` per pixel.
    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer)
}

extension StoredRows {
    var pixelBytes: Int { bands * bytesPerSample }
}

/// For orientations that exchange the sides.
protocol Transposing: AnyObject {
    /// Makes an output row from a column of `stored`; rows are requested in order.
    func readRow(
        _ next: Int, of stored: any StoredRows, into row: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault)
}

extension UnsafeMutableRawPointer {
    /// Copies byte by byte, because a call would take longer for at most eight bytes.
    @inline(__always)
    func copyPixel(from source: UnsafeRawPointer, bytes: Int) {
        for byte in 0..<bytes {
            storeBytes(
                of: source.load(fromByteOffset: byte, as: UInt8.self), toByteOffset: byte,
                as: UInt8.self)
        }
    }
}
