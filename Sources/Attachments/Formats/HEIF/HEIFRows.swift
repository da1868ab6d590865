internal import AttachmentContainer
package import AttachmentModel

/// Upright rows of a picture in a HEIF or AVIF file, cropped, with alpha.
///
/// Decoded tiles are in scratch files. A grid holds one row of tiles, or one column if turned by 90
/// degrees. A single picture is held whole, and twice if turned by 90 degrees. An overlay holds the
/// layers that the current row crosses.
///
/// Pixels are the same as libheif 1.15's, with these additions:
/// - PQ and HLG without a profile are tone-mapped.
/// - Premultiplied colours are divided by alpha.
/// - Alpha of another size is scaled, not dropped.
/// - Monochrome, identity and YCgCo in limited range are expanded to full range, and AV1 alpha too.
/// - YCgCo-Re and YCgCo-Ro are decoded; matrices that are not implemented are refused.
package final class HEIFRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]?
    package let tags: ColourTags?
    package let notes: [String]

    private let stored: any StoredRows
    private let visible: ItemTransformation
    private let transposition: (any Transposing)?
    private var next = 0
    private var fault: DecodingFault?

    /// Limit on a column of tiles that is reread for each block, in bytes.
    ///
    /// A column within the limit stays in memory under 12 MB. Rereading a larger one takes 8 to 25
    /// times as long.
    package static let directBytes = 8 << 20

    /// Opens a picture, or its thumbnail, and decodes its first tile.
    ///
    /// A tolerant reader keeps damaged pictures as decoded and fills undecodable tiles with opaque
    /// black. `heapCeiling` limits the heap for one tile; `HEIFDemand.frame` counts with it.
    /// Columns of tiles above `directBytes` are transposed in a scratch file. With two threads, a grid
    /// has the heap of two tiles at once; a single picture has one thread, even beside alpha in tiles.
    package init(
        isThumbnail: Bool = false, in file: OpenFile, scratch: ScratchSpace, isTolerant: Bool,
        heapCeiling: Int = .max, directBytes: Int = directBytes, threads: Int = 1,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(DecodingFault) {
        var decoder = FrameDecoder(
            file: file, scratch: scratch, heapCeiling: heapCeiling, isTolerant: isTolerant,
            threads: threads, isCancelled: isCancelled)
        let picture: HEIFPicture
        do throws(HeaderFault) {
            picture = try HEIFPicture(isThumbnail: isThumbnail, in: file)
        } catch {
            throw DecodingFault(error)
        }
        // No plan counts a second tile of anything else.
        if !picture.isGrid { decoder.threads = 1 }
        profile = try ColourProfile.read(picture.profile, of: file)
        visible = picture.transformation
        // A profile takes the place of tone mapping.
        let hasProfile =
            profile.map { profile in
                let isGrey = picture.overlay == nil && picture.first.colour.isMonochrome
                return ICCProfile(profile).isUsable(for: isGrey ? .grey : .rgb)
            } ?? false
        stored =
            if let overlay = picture.overlay {
                try OverlayRows(overlay, hasProfile: hasProfile, decoder: decoder)
            } else {
                try MosaicRows(
                    picture.first, visible: visible, hasProfile: hasProfile, decoder: decoder)
            }
        tags = stored.tags
        // PQ or HLG became sRGB.
        notes = stored.isToneMapped ? [ToneMapping.note] : []
        let upright = visible.orientation.upright(visible.size)
        layout = RowLayout(
            width: upright.width, height: upright.height, bands: stored.bands,
            bytesPerSample: stored.bytesPerSample)
        guard visible.orientation.exchangesSides else {
            transposition = nil
            return
        }
        // Planes with chroma halved in both directions take 1.5 times the size of luma.
        let columnBytes =
            Double(stored.tileWidth) * Double(picture.size.height) * 1.5
            * Double(stored.bytesPerSample)
        transposition =
            columnBytes <= Double(directBytes)
            ? BlockTransposition(visible, rowBytes: layout.rowBytes)
            : ScratchTransposition(visible, rowBytes: layout.rowBytes, decoder: decoder)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(next < layout.height, "a row beyond the last")
        precondition(row.count == layout.rowBytes, "a row buffer of the wrong size")
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
            visible.row
            + (visible.orientation.readsRowsBackwards ? visible.size.height - 1 - next : next)
        let columns = visible.columns
        try stored.hold(columns: columns, rows: y..<y + 1)
        stored.readRow(y, columns: columns, into: row)
        guard visible.orientation.readsColumnsBackwards else { return }
        let pixelBytes = stored.pixelBytes
        var (left, right) = (0, row.count - pixelBytes)
        while left < right {
            for byte in 0..<pixelBytes { row.swapAt(left + byte, right + byte) }
            left += pixelBytes
            right -= pixelBytes
        }
    }
}
