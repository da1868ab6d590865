package import AttachmentModel

/// Rows of a still PNG, grey or RGB, with or without alpha; palettes become RGB, and fewer than 8
/// bits become 8.
///
/// Checks all checksums up to the end of the image data, unless it is tolerant: missing rows are then
/// blank.
package final class PNGRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]?
    package let tags: ColourTags?
    /// True if the file has the samples of the rows.
    private let isCopied: Bool
    private let samples: PNGSamples
    private let inflater: ImageDataInflater
    private let nextRow: () throws(DecodingFault) -> UnsafePointer<UInt8>?
    private let input: DecoderInput
    private var y = 0

    package init(_ input: DecoderInput) throws(DecodingFault) {
        if input.isStrict { try Self.checkChunks(of: input.openFile) }
        var walk = ChunkWalk(input.openFile, isTolerant: input.isTolerant)
        let (header, offset) = try walk.readImageHeader()
        let head = try PNGHead(&walk)
        let transparency = head.transparency
        samples = try PNGSamples(
            header, palette: head.palette, transparency: transparency, at: offset)
        let data = try ImageDataInflater(
            .init(file: input.openFile, isTolerant: input.isTolerant), at: walk.offset,
            chunkLength: head.dataLength)
        if header.isInterlaced {
            let scan = PassScan(header, inflater: data, scratch: input.scratch)
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
        let type = try header.checkedColourType(at: offset)
        // A colour key is compared with all bits, and then only the upper eight stay.
        let hasKey = !transparency.isEmpty && !type.hasAlpha
        isCopied = !hasKey && header.bitDepth >= 8 && type != .palette
        layout = RowLayout(
            width: header.width, height: header.height,
            bands: (type.isGrey ? 1 : 3) + (hasKey || type.hasAlpha ? 1 : 0),
            bytesPerSample: isCopied && header.bitDepth == 16 ? 2 : 1)
        (profile, tags) = (head.profile, head.colours.tags(isGrey: type.isGrey))
        inflater = data
        self.input = input
        if walk.hasWrongChecksum { input.notes.add(.ancillaryChecksum) }
    }

    /// Checks all chunks and their checksums, because stricter decoders refuse a damaged one.
    ///
    /// Image data must be consecutive (PNG, third edition, 5.6): a chunk between may be one that the probe
    /// has not seen.
    private static func checkChunks(of file: OpenFile) throws(DecodingFault) {
        var walk = ChunkWalk(file, isTolerant: false)
        _ = try walk.readImageHeader()
        var runs = 0
        var last: FourCC?
        while true {
            let offset = walk.offset
            let chunk = try walk.readHeader()
            if chunk.type == .imageData, last != .imageData { runs += 1 }
            last = chunk.type
            guard runs < 2 else {
                throw DecodingFault(.corrupt, at: offset, "its image data is not consecutive")
            }
            guard try walk.check(chunk).isValid else {
                throw DecodingFault(
                    .corrupt, at: offset, "the checksum of \(chunk.type) is wrong")
            }
            if chunk.type == .imageEnd { return }
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
        if layout.bytesPerSample == 2 {
            // The row has as many samples as the source, which are big-endian.
            let values = UnsafeRawPointer(source)
            for index in 0..<row.count / 2 {
                let value = values.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
                row.storeBytes(
                    of: UInt16(bigEndian: value), toByteOffset: 2 * index, as: UInt16.self)
            }
        } else if isCopied {
            row.copyMemory(from: UnsafeRawBufferPointer(start: source, count: row.count))
        } else if !samples.writeColours(source, width: layout.width, to: row) {
            let (bands, colours) = (layout.bands, layout.bands - (layout.bands + 1) % 2)
            for x in 0..<layout.width {
                let pixel = samples.pixel(x, of: source)
                for band in 0..<colours {
                    row[bands * x + band] = UInt8(truncatingIfNeeded: pixel >> (8 * UInt32(band)))
                }
                if colours < bands { row[bands * x + colours] = UInt8(pixel >> 24) }
            }
        }
    }

    /// Checks the end of the image data; what follows has no pixels, and may be missing.
    private func readEnd() throws(DecodingFault) {
        if let fault = try inflater.finish(isStrict: input.isStrict) { input.notes.add(fault) }
        var end: Int?
        while end == nil { end = try inflater.skipRest() }
        guard let end else { return }
        var walk = ChunkWalk(input.openFile, isTolerant: input.isTolerant)
        if !walk.reachesEnd(from: end) { input.notes.add(.missingEnd) }
    }
}
