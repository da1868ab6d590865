import AttachmentModel

/// Interleaves the alpha plane of a lossy WebP image with its colours, row by row.
final class LossyWebPAlpha {
    /// Nil if the plane is invalid; everything is then opaque.
    private let rows: WebPAlphaRows?
    private var row: [UInt8]

    /// Reads the header of the plane.
    ///
    /// In tolerant mode, missing and damaged alpha is opaque.
    init(
        _ container: WebPContainer, in file: OpenFile, width: Int, scratch: ScratchSpace,
        isTolerant: Bool
    ) throws(DecodingFault) {
        row = [UInt8](repeating: .max, count: width)
        do throws(DecodingFault) {
            rows = try WebPAlphaRows(
                container, in: file, scratch: scratch, isTolerant: isTolerant)
        } catch {
            guard isTolerant, error.comesFromBytes else { throw error }
            rows = nil
        }
    }

    /// Writes the next row as RGBA from RGB, without premultiplying.
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

    /// Copies four bytes at a time and replaces the fourth, so the last pixel is separate.
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
