import AttachmentModel

/// Rows of the alpha plane of a lossy WebP image, alone or interleaved with its colours.
final class LossyWebPAlpha {
    private let rows: WebPAlphaRows?
    /// Owned; opaque unless `rows` fills it.
    private let row: UnsafeMutableRawBufferPointer

    init(
        _ container: WebPContainer, in file: OpenFile, width: Int, scratch: ScratchSpace,
        isTolerant: Bool
    ) throws(DecodingFault) {
        do throws(DecodingFault) {
            rows = try WebPAlphaRows(container, in: file, scratch: scratch, isTolerant: isTolerant)
        } catch {
            guard isTolerant, error.comesFromBytes else { throw error }
            rows = nil
        }
        // Last, because a fault above would leak it.
        row = .allocate(byteCount: width, alignment: 1)
        row.initializeMemory(as: UInt8.self, repeating: .max)
    }

    deinit { row.deallocate() }

    /// Reads the next row; the bytes are valid until the next call.
    func readRow() throws(DecodingFault) -> UnsafeRawBufferPointer {
        try rows?.readRow(into: row)
        return UnsafeRawBufferPointer(row)
    }

    /// Writes the next row as RGBA from RGB, without premultiplying.
    func writeNextRow(
        under colours: UnsafeRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) {
        Self.write(colours, try readRow(), to: pixels)
    }

    /// Copies four bytes at a time and replaces the fourth, so the last pixel is separate.
    private static func write(
        _ colours: UnsafeRawBufferPointer, _ alpha: UnsafeRawBufferPointer,
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
