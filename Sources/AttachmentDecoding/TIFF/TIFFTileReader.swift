/// Decodes a row of tiles at a time into a band of the picture's width, which is file-backed where
/// it is large.
final class TIFFTileReader: TIFFUnitReader {
    private let handle: TIFFHandle
    private let pixels: TIFFPixels
    private let conversion: TIFFConversion
    private let tileWidth: Int
    private let tileHeight: Int
    private let tileRowBytes: Int
    /// A tile as it is decoded.
    private let tile: FrameMemory
    /// Rows of the picture as they are given.
    private let band: FrameMemory

    init(
        _ handle: TIFFHandle, _ pixels: TIFFPixels, tileWidth: Int, tileHeight: Int
    ) throws(DecodingFault) {
        self.handle = handle
        self.pixels = pixels
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        conversion = TIFFConversion(pixels)
        tileRowBytes = handle.unitRowBytes
        try pixels.check(tileRowBytes, isRowOf: tileWidth)
        // So that each row of the tile is within it.
        guard handle.unitBytes / tileRowBytes >= tileHeight else {
            throw DecodingFault(.overCeiling, at: 0, "a tile of \(handle.unitBytes) bytes")
        }
        tile = try FrameMemory(bytes: handle.unitBytes, scratch: handle.scratch)
        let rows = min(tileHeight, pixels.layout.height)
        band = try FrameMemory(bytes: rows * pixels.layout.rowBytes, scratch: handle.scratch)
    }

    func read(row: Int, into output: UnsafeMutableRawPointer) throws(DecodingFault) {
        if row.isMultiple(of: tileHeight) { try decodeTiles(from: row) }
        guard let start = band.bytes.baseAddress else { return }
        // Within the band, which has as many rows as tiles have, or all.
        let rowBytes = pixels.layout.rowBytes
        output.copyMemory(from: start + row % tileHeight * rowBytes, byteCount: rowBytes)
    }

    private func decodeTiles(from row: Int) throws(DecodingFault) {
        guard let coded = tile.bytes.baseAddress, let start = band.bytes.baseAddress else { return }
        let layout = pixels.layout
        let tilesAcross = (layout.width - 1) / tileWidth + 1
        let rows = min(tileHeight, layout.height - row)
        for column in 0..<tilesAcross {
            try handle.decode(
                row / tileHeight * tilesAcross + column, orBlankInto: tile.bytes,
                pixels.compression)
            let left = column * tileWidth
            let count = min(tileWidth, layout.width - left)
            for line in 0..<rows {
                conversion.convert(
                    coded + line * tileRowBytes, count: count,
                    to: start + line * layout.rowBytes + left * pixels.pixelBytes)
            }
        }
    }
}
