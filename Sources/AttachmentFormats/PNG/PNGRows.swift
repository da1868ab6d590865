import AttachmentModel

/// Rows of an opaque still PNG, grey or RGB; palettes become RGB, and fewer than 8 bits become 8.
///
/// Checks all checksums up to the end of the image data, unless it is tolerant: missing rows are then
/// blank.
package final class PNGRows: DecodedRows {
    package let layout: RowLayout
    /// Always nil: pictures with a profile go to libvips.
    package var profile: [UInt8]? { nil }
    private let header: PNGImageHeader
    private let samples: PNGSamples
    private let inflater: ImageDataInflater
    private let nextRow: () throws(DecodingFault) -> UnsafePointer<UInt8>?
    private var y = 0

    package init(_ input: DecoderInput) throws(DecodingFault) {
        if input.isStrict { try Self.checkChunks(of: input.openFile) }
        var walk = ChunkWalk(input.openFile, isTolerant: input.isTolerant)
        let (header, offset) = try walk.readImageHeader()
        let (palette, length) = try Self.readPalette(&walk)
        samples = try PNGSamples(header, palette: palette, transparency: [], at: offset)
        let data = try ImageDataInflater(
            .init(file: input.openFile, isTolerant: input.isTolerant), at: walk.offset,
            chunkLength: length)
        if header.isInterlaced {
            let scan = PassScan(header, inflater: data)
            while try !scan.advance() {
                guard !input.isCancelled() else {
                    throw DecodingFault(.cancelled, at: data.offset, "it was cancelled")
                }
            }
            let rows = MergedRows(header, passes: scan.rows(isTolerant: input.isTolerant))
            nextRow = { () throws(DecodingFault) in try rows.nextRow() }
        } else {
            let pass = Adam7.passes(
                width: header.width, height: header.height, isInterlaced: false)[0]
            let rows = PNGFilteredRows(
                data, pass, of: header, endsAtUnknownFilter: input.isTolerant)
            nextRow = { () throws(DecodingFault) in try rows.next() }
        }
        layout = RowLayout(
            width: header.width, height: header.height,
            bands: header.colourType == .grey ? 1 : 3,
            bytesPerSample: header.bitDepth == 16 ? 2 : 1)
        (self.header, inflater) = (header, data)
    }

    /// Checks all chunks and their checksums, because stricter decoders refuse a damaged one.
    private static func checkChunks(of file: OpenFile) throws(DecodingFault) {
        var walk = ChunkWalk(file, isTolerant: false)
        _ = try walk.readImageHeader()
        while true {
            let offset = walk.offset
            let chunk = try walk.readHeader()
            guard try walk.check(chunk).isValid else {
                throw DecodingFault(
                    .corrupt, at: offset, "the checksum of \(chunk.type) is wrong")
            }
            if chunk.type == .imageEnd { return }
        }
    }

    /// Reads up to the image data, whose first chunk has `length` bytes.
    private static func readPalette(
        _ walk: inout ChunkWalk
    ) throws(DecodingFault) -> (palette: [UInt8], length: Int) {
        var palette: [UInt8] = []
        while true {
            switch try walk.next() {
            case .chunk(let chunk, _):
                if chunk.type == .transparency {
                    throw DecodingFault(.unsupported, at: walk.offset, "it is transparent")
                }
                let end = chunk.end
                if chunk.type == .palette { palette = try walk.read(chunk.length) }
                walk.seek(to: end)
            case .imageData(let length): return (palette, length)
            case .imageEnd:
                throw DecodingFault(.corrupt, at: walk.offset, "it has no image data")
            }
        }
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(row.count == layout.rowBytes, "a row of another size")
        guard y < layout.height else {
            throw DecodingFault(.truncated, at: inflater.offset, "the picture has no more rows")
        }
        y += 1
        if let unfiltered = try nextRow() {
            convert(unfiltered, to: row)
        } else {
            row.initializeMemory(as: UInt8.self, repeating: 0)
        }
        if y == layout.height { try readEnd() }
    }

    private func convert(_ source: UnsafePointer<UInt8>, to row: UnsafeMutableRawBufferPointer) {
        if header.bitDepth == 16 {
            // The row has as many samples as the source, which are big-endian.
            let values = UnsafeRawPointer(source)
            for index in 0..<row.count / 2 {
                let value = values.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
                row.storeBytes(
                    of: UInt16(bigEndian: value), toByteOffset: 2 * index, as: UInt16.self)
            }
        } else if header.bitDepth == 8, header.colourType != .palette {
            row.copyMemory(from: UnsafeRawBufferPointer(start: source, count: row.count))
        } else if layout.bands == 1 {
            for x in 0..<header.width { row[x] = UInt8(samples.pixel(x, of: source) & 255) }
        } else {
            for x in 0..<header.width {
                let pixel = samples.pixel(x, of: source)
                row[3 * x] = UInt8(truncatingIfNeeded: pixel)
                row[3 * x + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                row[3 * x + 2] = UInt8(truncatingIfNeeded: pixel >> 16)
            }
        }
    }

    /// Checks the end of the image data; what follows has no pixels, and may be missing.
    private func readEnd() throws(DecodingFault) {
        try inflater.finish()
        while try inflater.skipRest() == nil {}
    }
}
