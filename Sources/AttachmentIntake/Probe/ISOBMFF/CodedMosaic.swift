package import AttachmentContainer
package import AttachmentPlanning

/// A picture that is put together from coded tiles, or is one coded picture and so its only tile.
package struct CodedMosaic: Sendable {
    /// More tiles than any real grid has: the largest known picture has 768.
    package static let maximumTiles = 4_096

    /// One coded tile.
    package struct Tile: Sendable {
        /// Where the decoder configuration record lies in the file.
        package let configuration: Range<Int>
        /// Where the coded bytes lie in the file, in order.
        package let extents: [Range<Int>]
        /// What its samples mean; nil when that is left to the coded bytes.
        package let colours: ItemColours?
    }

    /// Whether the tiles are coded with AV1, else with HEVC.
    package let isAV1: Bool
    /// The size of the picture before anything is cropped or turned, in pixels.
    package let size: PixelSize
    /// The size of every tile, in pixels; those of the last column and row may reach beyond.
    package let tileSize: PixelSize
    /// Columns of tiles.
    package let columns: Int
    /// The tiles, row by row.
    package let tiles: [Tile]
    /// The depth of a sample, in bits.
    package let bitsPerSample: Int
    /// Luma to chroma sampling as in `4:2:0`; nil for luma only.
    package let chromaSubsampling: String?
    /// The header of the first tile's frame, with the length of the longest tile; nil where it is
    /// missing or invalid.
    package let frame: FrameHeader?
    /// The ICC profile of the first tile.
    let profile: Range<Int>?

    /// Whether there is luma only.
    package var isMonochrome: Bool { chromaSubsampling == nil }

    /// Rows of tiles.
    package var rows: Int { tiles.count / columns }

    /// Finds the tiles of an item.
    ///
    /// - Parameters:
    ///   - item: A coded item, or a grid of coded items.
    ///   - meta: The items of the file.
    ///   - reader: The file.
    /// - Throws: `HeaderFault` of any kind.
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
            try tile.checkIsTile(alike: first, of: item)
            guard let record = tile.codecRecord, let extents = places[source] else {
                throw .corrupt("a coded picture without its bytes", at: meta.start)
            }
            tiles.append(Tile(configuration: record, extents: extents, colours: tile.colours))
        }
        self.tiles = tiles
        frame = try Self.frame(of: tiles, isAV1: isAV1, tileSize, reader)
        bitsPerSample = frame?.bitsPerSample ?? codec.bitsPerSample
        chromaSubsampling = frame.map(\.chromaSubsampling) ?? codec.chromaSubsampling
        // 23008-12, 6.6.2.3.1: the tiles cover the picture. Some encoders write spare ones, which
        // libheif and browsers ignore.
        guard tileSize.width * columns >= size.width, tileSize.height * rows >= size.height else {
            throw .corrupt(
                "a grid of \(columns) by \(rows) tiles of \(tileSize) for \(size)", at: meta.start)
        }
    }

    /// Reads the header of the first tile's frame.
    ///
    /// - Throws: `corrupt` for a frame of another size than its item; decoders allocate by the frame.
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
    /// The length of the coded bytes.
    fileprivate var codedBytes: Int {
        extents.reduce(0) { sum, extent in
            let (total, isOver) = sum.addingReportingOverflow(extent.count)
            return isOver ? .max : total
        }
    }
}

extension Item {
    /// Checks that the item is coded and fits into a mosaic.
    ///
    /// - Parameters:
    ///   - first: The first tile of the mosaic.
    ///   - whole: What the mosaic makes, which is the tile itself when there is but one.
    /// - Throws: `unsupported`.
    fileprivate func checkIsTile(alike first: Item, of whole: Item) throws(HeaderFault) {
        try checkUnderstood()
        guard type == "hvc1" || type == "av01" else {
            throw .unsupported("a HEIF picture with a tile coded as '\(type)'")
        }
        guard type == first.type, extents == first.extents, codec == first.codec else {
            throw .unsupported("a grid of tiles that are not alike")
        }
        guard identifier != whole.identifier, let extents else { return }
        guard try transformation == ItemTransformation(of: extents) else {
            throw .unsupported("a grid of tiles that are turned or cropped")
        }
    }
}
