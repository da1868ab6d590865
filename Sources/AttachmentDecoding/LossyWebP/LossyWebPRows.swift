/// The rows of a lossy WebP picture, by libwebp's incremental decoder.
///
/// The decoded picture lies in a scratch file and not on the heap, where libvips' loader keeps eight
/// bytes for each of its pixels. Opaque pictures are scaled by libwebp while they are decoded; those
/// with an alpha plane keep their size, and their alpha comes from `WebPAlphaRows`. Exif and XMP are
/// passed over.
package final class LossyWebPRows: DecodedRows {
    /// The size that is made: what was asked for, or the picture's own when it has an alpha plane.
    ///
    /// Samples are red, green and blue, and alpha when there is such a plane.
    package let layout: RowLayout
    package let profile: [UInt8]?
    private let coded: CodedLossyPicture
    private let decoder: LossyPictureDecoder
    private let alpha: LossyWebPAlpha?
    private let isTolerant: Bool
    /// The next row.
    private var y = 0
    private var fault: DecodingFault?
    /// Whether the rest of the picture is missing, and given as zeros.
    private var isBlank = false

    /// Finds the parts of the file, and makes room for the picture.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: Its length, in bytes.
    ///   - width: Pixels in a row that are wanted, at least 1 and at most those of the picture.
    ///   - height: Rows that are wanted, at least 1 and at most those of the picture.
    ///   - scratch: Where the decoded picture lies when it takes more than 64 KB, and the coded one
    ///     too.
    ///   - isTolerant: Whether rows that are missing or damaged are given as zeros once one was
    ///     whole, and alpha that is missing or damaged as opaque.
    /// - Throws: `corrupt`, `truncated`, `unsupported` for lossless pictures, animations and sizes
    ///   beyond the picture's, `overCeiling`, `scratch`, `unreadable`.
    package convenience init(
        descriptor: CInt, length: Int, width: Int, height: Int, scratch: ScratchSpace,
        isTolerant: Bool
    ) throws(DecodingFault) {
        let container = try WebPContainer(
            descriptor: descriptor, length: length, isTolerant: isTolerant)
        try self.init(
            container, descriptor: descriptor, size: .init(width: width, height: height),
            scratch: scratch, isTolerant: isTolerant)
    }

    /// Makes room for a picture whose place is known.
    ///
    /// - Parameters:
    ///   - container: Where its parts lie.
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - wanted: The size that is wanted; each side at least 1 and at most the picture's.
    ///   - scratch: As for a file.
    ///   - isTolerant: As for a file.
    /// - Throws: As for a file.
    init(
        _ container: WebPContainer, descriptor: CInt, size wanted: WebPContainer.Size,
        scratch: ScratchSpace, isTolerant: Bool
    ) throws(DecodingFault) {
        guard !container.isLossless else {
            throw DecodingFault(.unsupported, at: 12, "it is a lossless WebP picture")
        }
        let start = container.picture.lowerBound
        guard isTolerant || container.picture.count == container.pictureLength else {
            throw DecodingFault(
                .truncated, at: container.picture.upperBound, "its picture data end too early")
        }
        let stored = try container.lossySize(descriptor: descriptor)
        guard container.canvas.map({ $0 == stored }) ?? true else {
            throw DecodingFault(.corrupt, at: start, "its picture is not as large as its canvas")
        }
        guard 1...stored.width ~= wanted.width, 1...stored.height ~= wanted.height else {
            throw DecodingFault(.unsupported, at: start, "it would be enlarged")
        }
        let hasAlpha = container.alpha != nil
        let size = hasAlpha ? stored : wanted
        layout = RowLayout(width: size.width, height: size.height, bands: hasAlpha ? 4 : 3)
        profile = try container.readProfile(descriptor: descriptor)
        alpha =
            hasAlpha
            ? try LossyWebPAlpha(
                container, descriptor: descriptor, width: size.width, scratch: scratch,
                isTolerant: isTolerant) : nil
        coded = try CodedLossyPicture(
            descriptor: descriptor, over: container.picture, scratch: scratch)
        decoder = try LossyPictureDecoder(size: size, isScaled: size != stored, scratch: scratch)
        self.isTolerant = isTolerant
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        if let fault { throw fault }
        precondition(row.count == layout.rowBytes, "the room is not that of a row")
        guard y < layout.height else { throw DecodingFault(.truncated, at: 0, "no rows are left") }
        do throws(DecodingFault) {
            try readNextRow(into: row)
        } catch {
            fault = error
            throw error
        }
        y += 1
    }

    private func readNextRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        if !isBlank {
            do throws(DecodingFault) {
                try decode()
            } catch {
                // Without a single row there is no picture: another decoder may say more.
                guard isTolerant, error.comesFromBytes, y > 0 else { throw error }
                isBlank = true
            }
        }
        guard !isBlank else {
            row.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        let colours = decoder.row(y)
        if let alpha {
            try alpha.writeNextRow(under: colours, to: row)
        } else {
            row.copyMemory(from: colours)
        }
    }

    /// Decodes until the next row is whole.
    private func decode() throws(DecodingFault) {
        while decoder.rowCount <= y {
            guard !decoder.isAtEnd, try coded.readMore() else {
                throw DecodingFault(
                    .truncated, at: coded.offset, "its picture data end before the picture does")
            }
            try decoder.decode(coded.bytes, at: coded.offset)
        }
    }
}
