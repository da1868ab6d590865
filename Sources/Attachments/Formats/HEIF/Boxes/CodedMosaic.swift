internal import AttachmentContainer
internal import AttachmentModel

/// Picture made of coded tiles, or of one coded picture as its only tile.
struct CodedMosaic {
    /// Above the number of tiles in any real grid; the largest known picture has 768.
    private static let maximumTiles = 4_096

    struct Tile {
        let configuration: Range<Int>
        let extents: [Range<Int>]
        /// Nil if the coded bytes contain the colour description.
        let colours: CodedColours?
    }

    let isAV1: Bool
    let size: PixelSize
    /// The last column and row may overhang.
    let tileSize: PixelSize
    let columns: Int
    /// Row by row.
    let tiles: [Tile]
    let bitsPerSample: Int
    let chromaSubsampling: ChromaSubsampling?
    /// Header of the first tile's frame, with the length of the longest tile; nil if invalid.
    let frame: FrameHeader?
    let profile: Range<Int>?

    var isMonochrome: Bool { chromaSubsampling == nil }

    /// A frame of a sequence, as the only tile.
    init(_ track: SequenceTrack, _ frame: FrameHeader) {
        let description = track.description
        isAV1 = description.isAV1
        (size, tileSize, columns) = (description.size, description.size, 1)
        tiles = [
            Tile(
                configuration: description.configuration, extents: track.extents,
                colours: description.colours)
        ]
        (bitsPerSample, chromaSubsampling) = (frame.bitsPerSample, frame.chromaSubsampling)
        self.frame = frame
        profile = description.profile
    }

    init(of item: Item, in meta: MetaBox, _ reader: BoundedReader) throws(HeaderFault) {
        guard let extents = item.extents else {
            throw .corrupt("a picture without its size", at: meta.start)
        }
        size = extents
        let sources: [ItemIdentifier]
        if item.isCoded {
            (columns, sources) = (1, [item.identifier])
        } else if item.type == "grid" {
            sources = meta.references(from: item.identifier, as: "dimg")
            let place = try meta.locations(of: [item.identifier])[item.identifier]
            // 23008-12, 6.6.2.3.
            let grid = try DerivedItem(
                place ?? [], of: reader, headBytes: 4, fields: 2, name: "a grid")
            let rows = Int(grid.bytes[2]) + 1
            columns = Int(grid.bytes[3]) + 1
            let gridSize = try grid.claimedSize()
            guard sources.count == rows * columns, gridSize == extents else {
                throw .corrupt(
                    "a grid of \(columns) by \(rows) tiles and \(gridSize) with "
                        + "\(sources.count) tiles and \(extents)", at: meta.start)
            }
        } else {
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
            // Tiles without colours have their grid's colours.
            tiles.append(
                Tile(
                    configuration: record, extents: extents,
                    colours: tile.colours ?? item.colours))
        }
        self.tiles = tiles
        frame = try Self.frame(of: tiles, isAV1: isAV1, tileSize, reader)
        bitsPerSample = frame?.bitsPerSample ?? codec.bitsPerSample
        chromaSubsampling = frame.map(\.chromaSubsampling) ?? codec.chromaSubsampling
        if chromaSubsampling != nil,
            let refusal = tiles.lazy.compactMap({ $0.colours?.matrixRefusal }).first
        {
            throw .unsupported("a HEIF picture with \(refusal)")
        }
        let rows = tiles.count / columns
        // 23008-12, 6.6.2.3.1: the tiles cover the picture. Some encoders write surplus tiles,
        // which libheif and browsers ignore.
        guard tileSize.width * columns >= size.width, tileSize.height * rows >= size.height else {
            throw .corrupt(
                "a grid of \(columns) by \(rows) tiles of \(tileSize) for \(size)", at: meta.start)
        }
    }

    /// Rejects a frame whose size differs from the item's: decoders allocate by the frame.
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
        frame.codedBytes = tiles.reduce(0) { max($0, $1.extents.totalCount) }
        return frame
    }
}

extension Item {
    /// `whole` is the mosaic's item, equal to the tile if there is only one.
    fileprivate func checkIsTile(matching first: Item, of whole: Item) throws(HeaderFault) {
        try checkSupported()
        guard isCoded else {
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
