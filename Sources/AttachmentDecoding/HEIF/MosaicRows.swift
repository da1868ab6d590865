internal import AttachmentContainer
internal import AttachmentIntake

/// The rows of a coded picture or a grid as it is stored, its alpha beside its colours.
final class MosaicRows: StoredRows {
    /// Samples of a pixel.
    let bands: Int
    /// What a sample takes, in bytes.
    let bytesPerSample: Int
    /// Whether PQ or HLG samples were brought to the range of sRGB.
    let isToneMapped: Bool

    private let colour: FrameMosaic
    private let alpha: AlphaPlane?
    /// Pixels of one row without alpha, as wide as the widest part that was read.
    private var colourRow: [UInt8] = []

    /// Decodes the tile that the first seen pixel lies in, which tells how samples lie in memory.
    ///
    /// - Parameters:
    ///   - picture: Where the picture lies.
    ///   - seen: The part of it that is read; nil for all of it.
    ///   - hasProfile: Whether an ICC profile says what the samples mean.
    ///   - file: The file that it lies in.
    ///   - decoder: What decodes its tiles.
    ///   - isTolerant: Whether damaged tiles stay black, and opaque, else they are faults.
    /// - Throws: `DecodingFault`.
    init(
        _ picture: StoredPicture, seen: ItemTransformation?, hasProfile: Bool, in file: HEIFFile,
        decoder: FrameDecoder, isTolerant: Bool
    ) throws(DecodingFault) {
        colour = FrameMosaic(
            picture.colour, in: file, decoder: decoder, hasProfile: hasProfile,
            blank: isTolerant ? 0 : nil)
        let (x, y) = seen?.firstPixel ?? (0, 0)
        try colour.hold(columns: x..<x + 1, rows: y..<y + 1)
        let frame = colour.anyFrame
        let plannedBytes = picture.colour.bitsPerSample > 8 ? 2 : 1
        colour.require(
            bands: frame?.bands ?? (picture.colour.isMonochrome ? 1 : 3),
            bytesPerSample: frame?.bytesPerSample ?? plannedBytes)
        bytesPerSample = colour.bytesPerSample
        guard bytesPerSample <= plannedBytes else {
            throw DecodingFault(
                .unsupported, at: 0, "its samples are deeper than its configuration says")
        }
        isToneMapped = frame?.isToneMapped ?? false
        alpha = picture.alpha.map { [bytesPerSample = colour.bytesPerSample] plane in
            AlphaPlane(
                FrameMosaic(
                    plane, in: file, decoder: decoder, hasProfile: true,
                    blank: isTolerant ? 0xFF : nil),
                over: picture, bytesPerSample: bytesPerSample)
        }
        bands = colour.bands + (alpha == nil ? 0 : 1)
        pixelBytes = bands * bytesPerSample
    }

    /// What a pixel takes, in bytes.
    let pixelBytes: Int

    /// The width of a tile, in pixels.
    var tileWidth: Int { colour.coded.tileSize.width }

    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        try colour.hold(columns: columns, rows: rows)
        try alpha?.hold(columns: columns, rows: rows)
    }

    /// Lets go everything that is held.
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
    /// The stored column and row of the first pixel of the upright picture.
    fileprivate var firstPixel: (x: Int, y: Int) {
        (
            column + (orientation.readsColumnsBackwards ? size.width - 1 : 0),
            row + (orientation.readsRowsBackwards ? size.height - 1 : 0)
        )
    }
}
