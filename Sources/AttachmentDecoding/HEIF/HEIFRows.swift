internal import AttachmentContainer
package import AttachmentIntake
internal import AttachmentPlanning

/// The rows of the primary picture of a HEIF or AVIF file, cropped and turned upright as the file
/// says, with its alpha.
///
/// No whole picture is held: of a grid, the decoded tiles of one row, or of one column when the
/// picture is turned by 90 degrees, lie in scratch files; of a single picture, the decoded picture
/// lies there, twice when it is turned by 90 degrees. Pixels are those of libheif 1.15 but for what it
/// does not do: PQ and HLG without a profile are tone-mapped, colours that were multiplied by alpha
/// are divided by it, alpha of another size is scaled, not dropped, and luma alone, identity and YCgCo
/// of limited range fill all codes. Of an overlay, the layers that the row crosses are held.
package final class HEIFRows: DecodedRows {
    /// How the rows lie in memory.
    package let layout: RowLayout
    /// The ICC profile of the samples; nil when the file has none.
    package let profile: [UInt8]?
    /// Whether PQ or HLG samples were brought to the range of sRGB.
    package let isToneMapped: Bool

    private let stored: any StoredRows
    private let seen: ItemTransformation
    /// Rows made of columns; nil when rows are rows.
    private let transposition: (any Transposing)?
    private var next = 0
    private var fault: DecodingFault?

    /// What the tiles below each other may take to be read again for each block of columns.
    ///
    /// In bytes: under a cap of 12 MB about as much of them stays in memory. A single picture of 12
    /// megapixels (18 MB) takes eight times as long that way under that cap, one of 48 under 24 MB
    /// twenty-five times.
    package static let directBytes = 8 << 20

    /// Opens a picture, and decodes its first tile.
    ///
    /// - Parameters:
    ///   - part: Which picture of the file. The default is the primary item.
    ///   - descriptor: A regular file, open for reading; it stays the caller's until the last row.
    ///   - length: Its length, in bytes.
    ///   - scratch: Where decoded tiles lie.
    ///   - isTolerant: Whether damaged pieces of a picture stay as their decoder leaves them, and
    ///     tiles that give no picture black and opaque; else they are faults.
    ///   - heapCeiling: What decoding one tile may take of the heap, in bytes, which
    ///     `HEIFDemand.frame` counts with. The default is no ceiling.
    ///   - directBytes: Up to what size of a column of tiles a turned picture is not written to a
    ///     scratch file transposed, in bytes. The default is 8 MiB.
    ///   - isCancelled: Whether the work was withdrawn; asked often while a tile is decoded.
    /// - Throws: `DecodingFault`.
    package init(
        _ part: HEIFPicture.Part = .primary, descriptor: CInt, length: Int, scratch: ScratchSpace,
        isTolerant: Bool, heapCeiling: Int = .max, directBytes: Int = directBytes,
        isCancelled: @escaping () -> Bool
    ) throws(DecodingFault) {
        let file = HEIFFile(descriptor: descriptor, length: length, isCancelled: isCancelled)
        let picture: HEIFPicture
        do throws(HeaderFault) {
            picture = try HEIFPicture(part, descriptor: descriptor, length: length)
        } catch {
            throw DecodingFault(error)
        }
        profile = try picture.profile.map { (place) throws(DecodingFault) in
            try file.bytes(place, atMost: ColourProfile.ceiling)
        }
        let decoder = FrameDecoder(
            descriptor: descriptor, length: length, scratch: scratch, heapCeiling: heapCeiling,
            isTolerant: isTolerant)
        let hasProfile = picture.profile != nil
        stored =
            switch picture.content {
            case .picture(let content):
                try MosaicRows(
                    content, seen: picture.transformation, hasProfile: hasProfile, in: file,
                    decoder: decoder, isTolerant: isTolerant)
            case .overlay(let overlay):
                try OverlayRows(
                    overlay, hasProfile: hasProfile, in: file, decoder: decoder,
                    isTolerant: isTolerant)
            }
        isToneMapped = stored.isToneMapped
        seen = picture.transformation
        let upright = seen.orientation.upright(seen.size)
        layout = RowLayout(
            width: upright.width, height: upright.height, bands: stored.bands,
            bytesPerSample: stored.bytesPerSample)
        transposition =
            seen.orientation.exchangesSides
            ? Transposition.of(
                picture, stored, rowBytes: layout.rowBytes, scratch: scratch, file: file,
                directBytes: directBytes)
            : nil
    }

    /// Writes the next row.
    ///
    /// - Parameter row: Room for exactly `layout.rowBytes`.
    /// - Throws: `DecodingFault`. Every later call throws too.
    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(next < layout.height, "a row beyond the last")
        precondition(row.count == layout.rowBytes, "room for another row than this picture has")
        if let fault { throw fault }
        do throws(DecodingFault) {
            if let transposition {
                try transposition.readRow(next, of: stored, into: row)
            } else {
                try readStoredRow(into: row)
            }
        } catch {
            fault = error
            throw error
        }
        next += 1
    }

    private func readStoredRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        let y =
            seen.row + (seen.orientation.readsRowsBackwards ? seen.size.height - 1 - next : next)
        let columns = seen.column..<seen.column + seen.size.width
        try stored.hold(columns: columns, rows: y..<y + 1)
        stored.readRow(y, columns: columns, into: row)
        if seen.orientation.readsColumnsBackwards {
            Self.reverse(row, pixelBytes: stored.pixelBytes)
        }
    }

    private static func reverse(_ row: UnsafeMutableRawBufferPointer, pixelBytes: Int) {
        var (left, right) = (0, row.count - pixelBytes)
        while left < right {
            for byte in 0..<pixelBytes { row.swapAt(left + byte, right + byte) }
            left += pixelBytes
            right -= pixelBytes
        }
    }
}
