#if SYSTEM_CODECS
    /// Decodes a row of tiles at a time, into file-backed memory if large; strips are tiles as wide as
    /// the picture.
    final class TIFFTileReader: TIFFUnitReader {
        private let handle: TIFFHandle
        private let pixels: TIFFPixels
        private let tileWidth: Int
        private let tileHeight: Int
        private let tileRowBytes: Int
        private let tileBytes: Int
        private let tilesAcross: Int
        private let tilesPerPlane: Int
        /// Number of decoded planes; 1 for interleaved samples.
        private let planes: Int
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
            tileRowBytes = handle.unitRowBytes
            tileBytes = handle.unitBytes
            tilesAcross = (pixels.layout.width - 1) / tileWidth + 1
            try pixels.check(tileRowBytes, isRowOf: tileWidth)
            tilesPerPlane = ((pixels.layout.height - 1) / tileHeight + 1) * tilesAcross
            planes = pixels.isSeparate ? pixels.layout.bands : 1
            let count = tilesAcross * planes
            let (bytes, overflow) = tileBytes.multipliedReportingOverflow(by: count)
            // Each row of a tile must be within it.
            guard !overflow, tileBytes / tileRowBytes >= tileHeight else {
                let units = handle.isTiled ? "tiles" : "a strip"
                throw DecodingFault(.limit, at: 0, "\(units) of \(tileBytes) bytes")
            }
            tiles = try FrameMemory(
                bytes: bytes, heapLimit: FrameMemory.unitsOnHeap, scratch: handle.scratch)
            readAhead = Array(repeating: ReadAhead(), count: tiles.file == nil ? 0 : count)
        }

        func read(row: Int, into output: UnsafeMutableRawPointer) throws(DecodingFault) {
            if row.isMultiple(of: tileHeight) { try decodeTiles(row / tileHeight) }
            guard let start = tiles.bytes.baseAddress else { return }
            // Within its tile, since the row is below `tileHeight`.
            var coded = start + row % tileHeight * tileRowBytes
            for plane in 0..<planes {
                var pixel = output
                for column in 0..<tilesAcross {
                    if let file = tiles.file {
                        readAhead[plane * tilesAcross + column]
                            .prefetch(coded, stride: tileRowBytes, in: file)
                    }
                    let count = min(tileWidth, pixels.layout.width - column * tileWidth)
                    if pixels.isSeparate {
                        pixels.write(coded, asBand: plane, count: count, in: pixel)
                    } else {
                        pixels.convert(coded, count: count, to: pixel)
                    }
                    coded += tileBytes
                    pixel += count * pixels.pixelBytes
                }
            }
            if pixels.isSeparate { pixels.finish(output, count: pixels.layout.width) }
        }

        private func decodeTiles(_ row: Int) throws(DecodingFault) {
            for plane in 0..<planes {
                for column in 0..<tilesAcross {
                    let start = (plane * tilesAcross + column) * tileBytes
                    try decode(
                        plane * tilesPerPlane + row * tilesAcross + column,
                        into: UnsafeMutableRawBufferPointer(
                            rebasing: tiles.bytes[start..<start + tileBytes]))
                    if handle.isTiled { tiles.file?.startWritingOut() }
                }
            }
        }

        /// Decodes a tile; a tolerant handle leaves damaged parts blank.
        private func decode(
            _ tile: Int, into memory: UnsafeMutableRawBufferPointer
        ) throws(DecodingFault) {
            if handle.isTolerant { memory.initializeMemory(as: UInt8.self, repeating: 0) }
            do {
                try handle.decode(tile, into: memory, pixels.compression)
            } catch {
                guard handle.isTolerant, error.isDamage else { throw error }
            }
        }
    }
#endif
