import AttachmentContainer
package import AttachmentModel

/// Decodes a lossy WebP image to RGB or RGBA with libwebp's incremental decoder, into a scratch file.
///
/// libwebp scales opaque images while decoding, which blurs them. Images with an alpha plane keep
/// their size. The engine of rows takes planes instead (`LossyWebPPlanes`), except beside alpha in
/// linear light.
package final class LossyWebPRows: DecodedRows {
    /// The requested size in RGB, or the image's own size in RGBA if it has an alpha plane.
    package let layout: RowLayout
    package let profile: [UInt8]?
    private let coded: CodedLossyPicture
    private let decoder: LossyPictureDecoder
    private let alpha: LossyWebPAlpha?
    private var sequence: RowSequence

    /// The requested size must not exceed the image's.
    ///
    /// A tolerant decoder needs one complete row; later damaged rows are zeros, and damaged alpha
    /// is opaque.
    package convenience init(
        _ file: OpenFile, width: Int, height: Int, scratch: ScratchSpace, isTolerant: Bool
    ) throws(DecodingFault) {
        let container = try WebPContainer(file, isTolerant: isTolerant)
        try self.init(
            container, in: file, size: PixelSize(width: width, height: height),
            scratch: scratch, isTolerant: isTolerant)
    }

    init(
        _ container: WebPContainer, in file: OpenFile, size wanted: PixelSize,
        scratch: ScratchSpace, isTolerant: Bool
    ) throws(DecodingFault) {
        let start = container.picture.lowerBound
        let stored = try container.lossySize(in: file, isTolerant: isTolerant)
        guard 1...stored.width ~= wanted.width, 1...stored.height ~= wanted.height else {
            throw DecodingFault(.unsupported, at: start, "it would be enlarged")
        }
        let hasAlpha = container.alpha != nil
        let size = hasAlpha ? stored : wanted
        layout = RowLayout(width: size.width, height: size.height, bands: hasAlpha ? 4 : 3)
        profile = try container.readProfile(in: file)
        alpha =
            hasAlpha
            ? try LossyWebPAlpha(
                container, in: file, width: size.width, scratch: scratch,
                isTolerant: isTolerant) : nil
        coded = try CodedLossyPicture(file, over: container.picture, scratch: scratch)
        decoder = try LossyPictureDecoder(
            size: size, isScaled: size != stored, as: .rgb, scratch: scratch)
        sequence = RowSequence(layout, isTolerant: isTolerant, needsFirstRow: true)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        try sequence.next(into: row) { y throws(DecodingFault) in
            try decode(upTo: y)
            let colours = decoder.row(y)
            if let alpha {
                try alpha.writeNextRow(under: colours, to: row)
            } else {
                row.copyMemory(from: colours)
            }
        }
    }

    private func decode(upTo y: Int) throws(DecodingFault) {
        while decoder.rowCount <= y {
            guard !decoder.isAtEnd, try coded.readMore() else {
                throw DecodingFault(
                    .truncated, at: coded.offset, "its image data end before the image does")
            }
            try decoder.decode(coded.bytes, at: coded.offset)
        }
    }
}

extension WebPContainer {
    /// Size of a lossy image; its data must be whole unless the decoder is tolerant.
    func lossySize(in file: OpenFile, isTolerant: Bool) throws(DecodingFault) -> PixelSize {
        guard !isLossless else {
            throw DecodingFault(.unsupported, at: 12, "it is a lossless WebP image")
        }
        guard isTolerant || picture.count == pictureLength else {
            throw DecodingFault(
                .truncated, at: picture.upperBound, "its image data end too early")
        }
        return try lossySize(in: file)
    }
}
