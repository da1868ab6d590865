internal import AttachmentContainer
internal import AttachmentIntake

/// The rows of a picture as it is stored, before it is turned, its alpha beside its colours.
final class StoredRows {
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

    /// Decodes the tile that the first pixel lies in, which tells how samples lie in memory.
    ///
    /// - Parameters:
    ///   - picture: Where the picture lies.
    ///   - file: The file that it lies in.
    ///   - decoder: What decodes its tiles.
    ///   - isTolerant: Whether damaged tiles stay black, and opaque, else they are faults.
    /// - Throws: `DecodingFault`.
    init(
        _ picture: HEIFPicture, in file: HEIFFile, decoder: FrameDecoder, isTolerant: Bool
    ) throws(DecodingFault) {
        colour = FrameMosaic(
            picture.colour, in: file, decoder: decoder, hasProfile: picture.profile != nil,
            blank: isTolerant ? 0 : nil)
        let seen = picture.transformation
        let (x, y) = (
            seen.column + (seen.orientation.readsColumnsBackwards ? seen.size.width - 1 : 0),
            seen.row + (seen.orientation.readsRowsBackwards ? seen.size.height - 1 : 0)
        )
        try colour.hold(columns: x..<x + 1, rows: y..<y + 1)
        let frame = colour.anyFrame
        colour.require(
            bands: frame?.bands ?? (picture.colour.isMonochrome ? 1 : 3),
            bytesPerSample: frame?.bytesPerSample ?? (picture.colour.bitsPerSample > 8 ? 2 : 1))
        bytesPerSample = colour.bytesPerSample
        isToneMapped = frame?.isToneMapped ?? false
        alpha = picture.alpha.map { [bytesPerSample = colour.bytesPerSample] plane in
            AlphaPlane(
                FrameMosaic(
                    plane, in: file, decoder: decoder, hasProfile: true,
                    blank: isTolerant ? 0xFF : nil),
                over: picture.colour.size, bytesPerSample: bytesPerSample,
                isPremultiplied: picture.isPremultiplied)
        }
        bands = colour.bands + (alpha == nil ? 0 : 1)
        pixelBytes = bands * bytesPerSample
    }

    /// What a pixel takes, in bytes.
    let pixelBytes: Int

    /// The width of a tile, in pixels.
    var tileWidth: Int { colour.coded.tileSize.width }

    /// Decodes what is missing of a part of the picture, and lets go what lies outside.
    ///
    /// - Parameters:
    ///   - columns: Pixels across, inside the picture, at least one.
    ///   - rows: Pixels down, inside the picture, at least one.
    /// - Throws: `DecodingFault`.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        try colour.hold(columns: columns, rows: rows)
        try alpha?.hold(columns: columns, rows: rows)
    }

    /// Reads a row of a part that is held.
    ///
    /// - Parameters:
    ///   - y: The row of the picture.
    ///   - columns: Which of its pixels.
    ///   - row: Room for the pixels, `pixelBytes` each.
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
