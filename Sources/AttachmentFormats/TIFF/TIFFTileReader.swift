/// Decodes a row of tiles at a time, into file-backed memory if large.
final class TIFFTileReader: TIFFUnitReader {
    private let handle: TIFFHandle
    private let pixels: TIFFPixels
    private let conversion: TIFFConversion
    private let tileWidth: Int
    private let tileHeight: Int
    private let tileRowBytes: Int
    private let tileBytes: Int
    private let tilesAcross: Int
    private let tilesPerPlane: Int
    /// Decoded tiles of one row, plane after plane.
    private let tiles: FrameMemory
    /// One per file-backed tile.
    private var readAhead: [ReadAhead]

    init(
        _ handle: TIFFHandle, _ pixels: TIFFPixels, tileWidth: Int, tileHeight: Int
    ) throws(DecodingFault) {
        self.handle = handle
        self.pixels = pixels
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        conversion = TIFFConversion(pixels)
        tileRowBytes = handle.unitRowBytes
        tileBytes = handle.unitBytes
        tilesAcross = (pixels.layout.width - 1) / tileWidth + 1
        try pixels.check(tileRowBytes, isRowOf: tileWidth)
        tilesPerPlane = ((pixels.layout.height - 1) / tileHeight + 1) * tilesAcross
        let count = tilesAcross * pixels.decodedPlanes
        let (bytes, overflow) = tileBytes.multipliedReportingOverflow(by: count)
        // Each row of a tile must be within it.
        guard !overflow, tileBytes / tileRowBytes >= tileHeight else {
            throw DecodingFault(.overCeiling, at: 0, "tiles of \(tileBytes) bytes")
        }
        tiles = try FrameMemory(unitBytes: bytes, scratch: handle.scratch)
        readAhead = Array(repeating: ReadAhead(), count: tiles.file == nil ? 0 : count)
    }

    func read(row: Int, into output: UnsafeMutableRawPointer) throws(DecodingFault) {
        if row.isMultiple(of: tileHeight) { try decodeTiles(row / tileHeight) }
        guard let start = tiles.bytes.baseAddress else { return }
        // Within its tile, since the row is below `tileHeight`.
        var coded = start + row % tileHeight * tileRowBytes
        for plane in 0..<pixels.decodedPlanes {
            var pixel = output
            for column in 0..<tilesAcross {
                if let file = tiles.file {
                    readAhead[plane * tilesAcross + column]
                        .prefetch(coded, stride: tileRowBytes, in: file)
                }
                let count = min(tileWidth, pixels.layout.width - column * tileWidth)
                if pixels.isSeparate {
                    conversion.write(coded, asBand: plane, count: count, in: pixel)
                } else {
                    conversion.convert(coded, count: count, to: pixel)
                }
                coded += tileBytes
                pixel += count * pixels.pixelBytes
            }
        }
        if pixels.isSeparate { conversion.finish(output, count: pixels.layout.width) }
    }

    private func decodeTiles(_ row: Int) throws(DecodingFault) {
        for plane in 0..<pixels.decodedPlanes {
            for column in 0..<tilesAcross {
                let start = (plane * tilesAcross + column) * tileBytes
                try handle.decode(
                    plane * tilesPerPlane + row * tilesAcross + column,
                    orBlankInto: UnsafeMutableRawBufferPointer(
                        rebasing: tiles.bytes[start..<start + tileBytes]),
                    pixels.compression)
                tiles.file?.startWritingOut()
            }
        }
    }
}
