package import AttachmentContainer
internal import AttachmentModel

/// Picture made of coded tiles, or of one coded picture as its only tile.
package struct CodedMosaic: Sendable {
    /// Above the number of tiles in any real grid; the largest known picture has 768.
    package static let maximumTiles = 4_096

    package struct Tile: Sendable {
        /// File range of the decoder configuration record.
        package let configuration: Range<Int>
        /// File ranges of the coded bytes, in order.
        package let extents: [Range<Int>]
        /// Colour description; nil if the coded bytes contain it.
        package let colours: ItemColours?
    }

    /// True for AV1, false for HEVC.
    package let isAV1: Bool
    /// Size before any crop or rotation, in pixels.
    package let size: PixelSize
    /// Size of every tile, in pixels; the last column and row may overhang.
    package let tileSize: PixelSize
    package let columns: Int
    /// Tiles, row by row.
    package let tiles: [Tile]
    package let bitsPerSample: Int
    /// Nil for luma only.
    package let chromaSubsampling: ChromaSubsampling?
    /// Header of the first tile's frame, with the length of the longest tile; nil if invalid.
    package let frame: FrameHeader?
    /// ICC profile of the first tile.
    let profile: Range<Int>?

    package var isMonochrome: Bool { chromaSubsampling == nil }

    package var rows: Int { tiles.count / columns }

    /// Locates the tiles of a coded item or of a grid of coded items.
    init(of item: Item, in meta: MetaBox, _ reader: BoundedReader) throws(HeaderFault) {
        guard let extents = item.extents else {
            throw .corrupt("a picture without its size", at: meta.start)
        }
        size = extents
        let sources: [ItemIdentifier]
        switch item.type {
        case "hvc1", "av01":
            (columns, sources) = (1, [item.identifier])
        case "grid":
            sources = meta.references(from: item.identifier, as: "dimg")
            let place = try meta.locations(of: [item.identifier])[item.identifier]
            let grid = try GridDescription(place ?? [], of: reader)
            guard sources.count == grid.rows * grid.columns, grid.size == extents else {
                throw .corrupt(
                    "a grid of \(grid.columns) by \(grid.rows) tiles and \(grid.size) with "
                        + "\(sources.count) tiles and \(extents)", at: meta.start)
            }
            columns = grid.columns
        default:
            throw .unsupported("a HEIF picture coded as '\(item.type)'")
        }
        guard sources.count <= Self.maximumTiles else {
            throw .unsupported("a grid of \(sources.count) tiles")
        }
        let places = try meta.locations(of: Set(sources))
        guard let first = try sources.first.map(meta.item), let codec = first.codec,
            let tileSize = first.extents
        else { throw .corrupt("a coded picture without its configuration", at: meta.start) }
        isAV1 = first.type == "av01"
        self.tileSize = tileSize
        profile = first.profile
        var tiles: [Tile] = []
        for source in sources {
            let tile = try meta.item(source)
            try tile.checkIsTile(matching: first, of: item)
            guard let record = tile.codecRecord, let extents = places[source] else {
                throw .corrupt("a coded picture without data", at: meta.start)
            }
            tiles.append(Tile(configuration: record, extents: extents, colours: tile.colours))
        }
        self.tiles = tiles
        frame = try Self.frame(of: tiles, isAV1: isAV1, tileSize, reader)
        bitsPerSample = frame?.bitsPerSample ?? codec.bitsPerSample
        chromaSubsampling = frame.map(\.chromaSubsampling) ?? codec.chromaSubsampling
        // 23008-12, 6.6.2.3.1: the tiles cover the picture. Some encoders write surplus tiles,
        // which libheif and browsers ignore.
        guard tileSize.width * columns >= size.width, tileSize.height * rows >= size.height else {
            throw .corrupt(
                "a grid of \(columns) by \(rows) tiles of \(tileSize) for \(size)", at: meta.start)
        }
    }

    /// Header of the first tile's frame; rejects a frame whose size differs from the item's.
    ///
    /// Decoders allocate by the frame.
    private static func frame(
        of tiles: [Tile], isAV1: Bool, _ tileSize: PixelSize, _ reader: BoundedReader
    ) throws(HeaderFault) -> FrameHeader? {
        guard let first = tiles.first,
            var frame = try FrameHeader.read(
                isAV1: isAV1, configuration: first.configuration, extents: first.extents, of: reader
            )
        else { return nil }
        guard frame.size == tileSize else {
            throw .corrupt(
                "a coded frame of \(frame.size) in an item of \(tileSize)",
                at: first.extents.first?.lowerBound ?? 0)
        }
        frame.codedBytes = tiles.reduce(0) { max($0, $1.codedBytes) }
        return frame
    }
}

extension CodedMosaic.Tile {
    fileprivate var codedBytes: Int {
        extents.reduce(0) { sum, extent in
            let (total, isOver) = sum.addingReportingOverflow(extent.count)
            return isOver ? .max : total
        }
    }
}

extension Item {
    /// Throws `unsupported` unless the item is coded and matches the first tile of the mosaic.
    ///
    /// `whole` is the mosaic's item, equal to the tile if there is only one.
    fileprivate func checkIsTile(matching first: Item, of whole: Item) throws(HeaderFault) {
        try checkSupported()
        guard type == "hvc1" || type == "av01" else {
            throw .unsupported("a HEIF picture with a tile coded as '\(type)'")
        }
        guard type == first.type, extents == first.extents, codec == first.codec else {
            throw .unsupported("a grid of different tiles")
        }
        guard identifier != whole.identifier, let extents else { return }
        guard try transformation == ItemTransformation(of: extents) else {
            throw .unsupported("a grid of rotated or cropped tiles")
        }
    }
}
