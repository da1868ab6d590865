import AttachmentContainer
package import AttachmentModel

/// Decodes a lossless WebP image row by row, without a frame buffer.
///
/// The extended header decides about alpha; in a simple file, the image header does, as in libvips.
package final class LosslessWebPRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]?
    private let picture: LosslessPicture
    private var sequence: RowSequence

    /// Without `scratch`, ring and colour factors (4 MB at most) are on the heap.
    ///
    /// In tolerant mode, missing and damaged rows are zeros.
    package convenience init(
        _ file: OpenFile, scratch: ScratchSpace? = nil, isTolerant: Bool
    ) throws(DecodingFault) {
        let container = try WebPContainer(file, isTolerant: isTolerant)
        try self.init(container, in: file, scratch: scratch, isTolerant: isTolerant)
    }

    init(
        _ container: WebPContainer, in file: OpenFile, scratch: ScratchSpace?, isTolerant: Bool
    ) throws(DecodingFault) {
        guard container.isLossless else {
            throw DecodingFault(.unsupported, at: 12, "it is a lossy WebP image")
        }
        let source = BitSource(file, over: container.picture)
        let header = try LosslessHeader(source)
        let size = header.size
        guard container.canvas.map({ $0 == size }) ?? true else {
            throw source.fault(.corrupt, "its image and its canvas differ in size")
        }
        let hasAlpha = container.canvas == nil ? header.hasAlpha : container.mayHaveAlpha
        let mayVary = hasAlpha || header.hasAlpha
        profile = try container.readProfile(in: file)
        picture = try LosslessPicture(
            source, width: size.width, height: size.height,
            limits: .init(
                // Without alpha the codes of alpha may vary too, since the header's bit is a hint
                // (RFC 9649, section 3.4), and the colour cache depends on them.
                pixelBytes: 4, isOpaque: !mayVary, scratch: scratch))
        layout = RowLayout(width: size.width, height: size.height, bands: hasAlpha ? 4 : 3)
        sequence = RowSequence(layout, isTolerant: isTolerant)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        try sequence.next(into: row) { _ throws(DecodingFault) in
            let pixels = try picture.nextRow()
            if layout.bands == 4 {
                PixelSamples.writeRGBA(pixels, count: layout.width, to: row)
            } else {
                PixelSamples.writeRGB(pixels, count: layout.width, to: row)
            }
        }
    }
}

/// Header of a `VP8L` image (RFC 9649, section 3.4).
struct LosslessHeader {
    let size: PixelSize
    let hasAlpha: Bool

    init(_ source: BitSource) throws(DecodingFault) {
        guard try source.read(8) == 0x2F else {
            throw source.fault(.corrupt, "it is not a lossless WebP image")
        }
        size = PixelSize(width: 1 + (try source.read(14)), height: 1 + (try source.read(14)))
        hasAlpha = try source.readFlag()
        guard try source.read(3) == 0 else {
            throw source.fault(.unsupported, "its version of lossless WebP is unknown")
        }
    }
}

private enum PixelSamples {
    static func writeRGB(
        _ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawBufferPointer
    ) {
        guard let base = row.baseAddress, row.count >= 3 * count else { return }
        // Each store writes four bytes, one of them the next pixel's, so the last pixel is
        // separate.
        for index in 0..<count - 1 {
            let sample = pixels[index].byteSwapped &>> 8
            base.storeBytes(of: sample.littleEndian, toByteOffset: 3 &* index, as: UInt32.self)
        }
        let last = pixels[count - 1]
        row[3 * count - 3] = UInt8(truncatingIfNeeded: last >> 16)
        row[3 * count - 2] = UInt8(truncatingIfNeeded: last >> 8)
        row[3 * count - 1] = UInt8(truncatingIfNeeded: last)
    }

    static func writeRGBA(
        _ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawBufferPointer
    ) {
        guard let base = row.baseAddress, row.count >= 4 * count else { return }
        for index in 0..<count {
            let pixel = pixels[index]
            // Swaps red and blue.
            let sample = pixel & 0xFF00_FF00 | pixel &>> 16 & 0xFF | (pixel & 0xFF) &<< 16
            base.storeBytes(of: sample.littleEndian, toByteOffset: 4 &* index, as: UInt32.self)
        }
    }
}
