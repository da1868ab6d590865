internal import AttachmentContainer
internal import AttachmentModel

/// Stored rows of a coded picture or grid, with its alpha.
final class MosaicRows: StoredRows {
    let bands: Int
    let bytesPerSample: Int
    let isToneMapped: Bool
    let tags: ColourTags?

    private let colour: FrameMosaic
    private let alpha: AlphaPlane?
    private var colourRow: [UInt8] = []

    /// Decodes the tile of the first visible pixel, which determines the sample format.
    init(
        _ picture: StoredPicture, visible: ItemTransformation?, hasProfile: Bool,
        decoder: FrameDecoder
    ) throws(DecodingFault) {
        colour = FrameMosaic(picture.colour, decoder: decoder, hasProfile: hasProfile)
        let (x, y) = visible?.firstPixel ?? (0, 0)
        try colour.hold(columns: x..<x + 1, rows: y..<y + 1)
        let frame = colour.anyFrame
        let plannedBytes = picture.colour.bitsPerSample > 8 ? 2 : 1
        let bytesPerSample = frame?.bytesPerSample ?? plannedBytes
        colour.require(
            bands: frame?.bands ?? (picture.colour.isMonochrome ? 1 : 3),
            bytesPerSample: bytesPerSample)
        guard bytesPerSample <= plannedBytes else {
            throw DecodingFault(
                .unsupported, at: 0, "its samples have more bits than its configuration states")
        }
        self.bytesPerSample = bytesPerSample
        isToneMapped = frame?.isToneMapped ?? false
        tags = frame?.tags
        alpha = picture.alpha.map {
            AlphaPlane($0, bytesPerSample: bytesPerSample, decoder: decoder)
        }
        bands = colour.bands + (alpha == nil ? 0 : 1)
    }

    var tileWidth: Int { colour.coded.tileSize.width }

    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        try colour.hold(columns: columns, rows: rows)
        try alpha?.hold(columns: columns, rows: rows)
    }

    func release() {
        colour.release()
        alpha?.release()
    }

    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer) {
        guard let alpha else {
            colour.readRow(y, columns: columns, into: row)
            return
        }
        let needed = columns.count * colour.bands * bytesPerSample
        if colourRow.count < needed { colourRow = Array(repeating: 0, count: needed) }
        colourRow.withUnsafeMutableBytes { colours in
            colour.readRow(y, columns: columns, into: colours)
            alpha.join(y, columns: columns, colours: colours, bands: colour.bands, into: row)
        }
    }
}

extension ItemTransformation {
    fileprivate var firstPixel: (x: Int, y: Int) {
        (
            column + (orientation.readsColumnsBackwards ? size.width - 1 : 0),
            row + (orientation.readsRowsBackwards ? size.height - 1 : 0)
        )
    }
}
