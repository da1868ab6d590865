/// The alpha of a lossy WebP picture, put between its colours row by row.
final class LossyWebPAlpha {
    /// Nil when the plane cannot be read at all, and everything is opaque.
    private let rows: WebPAlphaRows?
    private var row: [UInt8]

    /// Reads the header of the plane.
    ///
    /// - Parameters:
    ///   - container: Where the parts of the picture lie.
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - width: Pixels in a row.
    ///   - scratch: Where pixels that are coded lie when they are many.
    ///   - isTolerant: Whether alpha that is missing or damaged is given as opaque.
    /// - Throws: `corrupt`, `truncated`, `unsupported`, `overCeiling`, `scratch`, `unreadable`.
    init(
        _ container: WebPContainer, descriptor: CInt, width: Int, scratch: ScratchSpace,
        isTolerant: Bool
    ) throws(DecodingFault) {
        row = [UInt8](repeating: .max, count: width)
        do throws(DecodingFault) {
            rows = try WebPAlphaRows(
                container, descriptor: descriptor, scratch: scratch, isTolerant: isTolerant)
        } catch {
            guard isTolerant, error.comesFromBytes else { throw error }
            rows = nil
        }
    }

    /// Writes the next row.
    ///
    /// - Parameters:
    ///   - colours: Red, green and blue of its pixels.
    ///   - pixels: Room for red, green, blue and alpha, which is not premultiplied.
    /// - Throws: `corrupt`, `truncated`, `unreadable`.
    func writeNextRow(
        under colours: UnsafeRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) {
        try readRow()
        row.withUnsafeBufferPointer { Self.write(colours, $0, to: pixels) }
    }

    private func readRow() throws(DecodingFault) {
        guard let rows else { return }
        var fault: DecodingFault?
        row.withUnsafeMutableBytes { bytes in
            do throws(DecodingFault) {
                try rows.readRow(into: bytes)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }

    /// Four bytes at once, of which the fourth is replaced; so the last pixel goes alone.
    private static func write(
        _ colours: UnsafeRawBufferPointer, _ alpha: UnsafeBufferPointer<UInt8>,
        to pixels: UnsafeMutableRawBufferPointer
    ) {
        let count = alpha.count
        guard let from = colours.baseAddress, let to = pixels.baseAddress, count > 0,
            colours.count == 3 * count, pixels.count == 4 * count
        else { return }
        for x in 0..<count - 1 {
            let word = UInt32(
                littleEndian: from.loadUnaligned(fromByteOffset: 3 &* x, as: UInt32.self))
            let pixel = word & 0x00FF_FFFF | UInt32(alpha[x]) &<< 24
            to.storeBytes(of: pixel.littleEndian, toByteOffset: 4 &* x, as: UInt32.self)
        }
        for band in 0..<3 { pixels[4 * count - 4 + band] = colours[3 * count - 3 + band] }
        pixels[4 * count - 1] = alpha[count - 1]
    }
}
