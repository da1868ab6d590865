internal import AttachmentContainer

/// Tiles in scratch files, decoded on demand and released when no longer needed.
final class FrameMosaic {
    let coded: CodedMosaic
    /// Fills samples of damaged tiles; nil if damage is a fault.
    private let blank: UInt8?
    private let decoder: FrameDecoder
    private let hasProfile: Bool
    private let isAlpha: Bool

    private(set) var bands = 1
    private(set) var bytesPerSample = 1
    private var isRequired = false
    private var frames: [DecodedFrame?]
    private var heldColumns = 0..<0
    private var heldRows = 0..<0
    /// Configuration of the last tile; tiles usually share it.
    private var configuration: (range: Range<Int>, bytes: [UInt8])?

    init(_ coded: CodedMosaic, decoder: FrameDecoder, hasProfile: Bool, isAlpha: Bool = false) {
        self.coded = coded
        self.decoder = decoder
        (self.hasProfile, self.isAlpha) = (hasProfile, isAlpha)
        // Opaque black. A picture of one tile has nothing else to show.
        blank = decoder.isTolerant && coded.tiles.count > 1 ? (isAlpha ? 0xFF : 0) : nil
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
        for row in tileRows {
            for column in tileColumns where !oldRows.contains(row) || !oldColumns.contains(column) {
                let index = row * coded.columns + column
                frames[index] = try decode(coded.tiles[index])
            }
        }
    }

    func release() {
        guard !heldRows.isEmpty else { return }
        for index in frames.indices { frames[index] = nil }
        (heldColumns, heldRows) = (0..<0, 0..<0)
    }

    /// Nil if all held tiles are damaged.
    var anyFrame: DecodedFrame? { frames.lazy.compactMap { $0 }.first }

    func require(bands: Int, bytesPerSample: Int) {
        (self.bands, self.bytesPerSample, isRequired) = (bands, bytesPerSample, true)
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

    private func decode(_ tile: CodedMosaic.Tile) throws(DecodingFault) -> DecodedFrame? {
        do throws(DecodingFault) {
            if configuration?.range != tile.configuration {
                configuration = (
                    tile.configuration,
                    try decoder.record(tile.configuration, atMost: FrameHeader.longestConfiguration)
                )
            }
            let source = CodedFrame(
                isAV1: coded.isAV1, configuration: configuration?.bytes ?? [],
                extents: tile.extents, width: coded.tileSize.width, height: coded.tileSize.height,
                colours: tile.colours, hasProfile: hasProfile, isAlpha: isAlpha)
            let frame = try decoder.decode(source)
            guard frame.width >= source.width, frame.height >= source.height else {
                throw source.fault(
                    .corrupt,
                    "a coded picture of \(frame.width)x\(frame.height) for \(coded.tileSize)")
            }
            guard !isRequired || (frame.bands, frame.bytesPerSample) == (bands, bytesPerSample)
            else {
                throw source.fault(.unsupported, "a grid of tiles with different sample formats")
            }
            return frame
        } catch {
            guard blank != nil, error.code == .corrupt || error.code == .truncated else {
                throw error
            }
            return nil
        }
    }

    private static func tiles(of pixels: Range<Int>, side: Int) -> Range<Int> {
        pixels.lowerBound / side..<(pixels.upperBound - 1) / side + 1
    }
}
