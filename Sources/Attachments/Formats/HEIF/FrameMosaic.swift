internal import AttachmentContainer

/// Tiles in scratch files, decoded on demand and released when no longer needed.
///
/// With two threads, two tiles that are needed at once are decoded at the same time.
final class FrameMosaic {
    let coded: CodedMosaic
    /// Fills samples of damaged tiles; nil if damage is a fault.
    private let blank: UInt8?
    private let threads: Int
    private var decoder: TileDecoder

    private(set) var bands = 1
    private(set) var bytesPerSample = 1
    private var frames: [DecodedFrame?]
    private var heldColumns = 0..<0
    private var heldRows = 0..<0

    init(_ coded: CodedMosaic, decoder: FrameDecoder, hasProfile: Bool, isAlpha: Bool = false) {
        self.coded = coded
        threads = decoder.threads
        // Opaque black. A picture of one tile has nothing else to show.
        blank = decoder.isTolerant && coded.tiles.count > 1 ? (isAlpha ? 0xFF : 0) : nil
        self.decoder = TileDecoder(
            coded, decoder: decoder, hasProfile: hasProfile, isAlpha: isAlpha,
            skipsDamage: blank != nil)
        frames = Array(repeating: nil, count: coded.tiles.count)
    }

    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        let tileColumns = Self.tiles(of: columns, side: coded.tileSize.width)
        let tileRows = Self.tiles(of: rows, side: coded.tileSize.height)
        guard tileColumns != heldColumns || tileRows != heldRows else { return }
        for row in heldRows {
            for column in heldColumns
            where !tileRows.contains(row) || !tileColumns.contains(column) {
                frames[row * coded.columns + column] = nil
            }
        }
        let (oldColumns, oldRows) = (heldColumns, heldRows)
        (heldColumns, heldRows) = (tileColumns, tileRows)
        var missing: [Int] = []
        for row in tileRows {
            for column in tileColumns where !oldRows.contains(row) || !oldColumns.contains(column) {
                missing.append(row * coded.columns + column)
            }
        }
        try decode(missing)
    }

    private func decode(_ indexes: [Int]) throws(DecodingFault) {
        guard threads > 1, indexes.count > 1 else {
            for index in indexes { frames[index] = try decoder.decode(coded.tiles[index]) }
            return
        }
        let decoded = try TilePair.decode(indexes.map { coded.tiles[$0] }, by: decoder)
        for (index, frame) in zip(indexes, decoded) { frames[index] = frame }
    }

    func release() {
        guard !heldRows.isEmpty else { return }
        for index in frames.indices { frames[index] = nil }
        (heldColumns, heldRows) = (0..<0, 0..<0)
    }

    /// Nil if all held tiles are damaged.
    var anyFrame: DecodedFrame? { frames.lazy.compactMap { $0 }.first }

    func require(bands: Int, bytesPerSample: Int) {
        (self.bands, self.bytesPerSample) = (bands, bytesPerSample)
        decoder.required = .init(bands: bands, bytesPerSample: bytesPerSample)
    }

    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer) {
        forTiles(y, columns, pixelBytes: bands * bytesPerSample, of: row) {
            $0.readRow($1, columns: $2, into: $3)
        }
    }

    func readLuma(
        _ y: Int, columns: Range<Int>, bytesPerSample: Int, into row: UnsafeMutableRawBufferPointer
    ) {
        forTiles(y, columns, pixelBytes: bytesPerSample, of: row) {
            $0.readLuma($1, columns: $2, bytesPerSample: bytesPerSample, into: $3)
        }
    }

    @inline(__always)
    private func forTiles(
        _ y: Int, _ columns: Range<Int>, pixelBytes: Int, of row: UnsafeMutableRawBufferPointer,
        read: (DecodedFrame, Int, Range<Int>, UnsafeMutableRawBufferPointer) -> Void
    ) {
        let (side, tileRow) = (coded.tileSize.width, y / coded.tileSize.height)
        let tileY = y - tileRow * coded.tileSize.height
        var x = columns.lowerBound
        while x < columns.upperBound {
            let column = x / side
            let end = min(columns.upperBound, (column + 1) * side)
            let offset = (x - columns.lowerBound) * pixelBytes
            let part = UnsafeMutableRawBufferPointer(
                rebasing: row[offset..<offset + (end - x) * pixelBytes])
            if let frame = frames[tileRow * coded.columns + column] {
                read(frame, tileY, x - column * side..<end - column * side, part)
            } else {
                part.initializeMemory(as: UInt8.self, repeating: blank ?? 0)
            }
            x = end
        }
    }

    private static func tiles(of pixels: Range<Int>, side: Int) -> Range<Int> {
        pixels.lowerBound / side..<(pixels.upperBound - 1) / side + 1
    }
}
