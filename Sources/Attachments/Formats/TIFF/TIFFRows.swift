#if SYSTEM_CODECS
    package import AttachmentModel

    /// Rows of the first picture of a TIFF file, decoded by libtiff in bounded memory.
    ///
    /// Rows are the same as in libvips 8.14 (`tiffload`): 1 to 16 bits, grey, RGB, YCbCr in JPEG,
    /// palettes, CMYK and L*a*b*, if `RowLayout` can express them. There are three differences.
    /// 32-bit samples, which libvips does not scale, become 16-bit. Tiles may have separate planes.
    /// Grey with alpha in separate planes is correct, where libvips mixes up the rows.
    ///
    /// Strips of up to 128 KB and rows of tiles are decoded at once, into file-backed memory if large.
    /// Longer strips are decoded row by row. The orientation is not applied.
    package final class TIFFRows: DecodedRows {
        /// Longer strips are decoded row by row, because each strip changes all pages of a scratch
        /// file.
        ///
        /// Under 12 MiB, 48 megapixels in strips of 3 MB got the process killed; row by row they
        /// take two seconds.
        private static let bytesDecodedAtOnce = 128 << 10

        package let layout: RowLayout
        package let profile: [UInt8]?
        package let notes: [String]
        /// True for rows of CIE L*a*b*, which `LabRows` converts.
        let isLab: Bool

        private let reader: any TIFFUnitReader
        private var nextRow = 0
        private var fault: DecodingFault?

        /// Throws `unsupported` for files that only libvips decodes; a tolerant reader leaves missing
        /// and damaged parts blank.
        package init(
            _ file: OpenFile, scratch: ScratchSpace, isTolerant: Bool,
            notes decodingNotes: DecodingNotes = DecodingNotes()
        ) throws(DecodingFault) {
            let directory = try ReducedDirectory(file)
            let number = directory.integer(TIFFTag.compression) ?? 1
            guard let compression = UInt16(exactly: number).flatMap(TIFFCompression.init) else {
                throw DecodingFault(.unsupported, at: 0, "TIFF compression \(number)")
            }
            guard directory.unitCount <= Double(TIFFCoding.unitCeiling) else {
                throw DecodingFault(
                    .limit, at: 0, "a TIFF of \(Int(directory.unitCount)) strips or tiles")
            }
            profile = try ColourProfile.read(directory.profile, of: file)

            let source = TIFFSource(file, directory: directory)
            let handle = try TIFFHandle(
                source, scratch: scratch, isTolerant: isTolerant, notes: decodingNotes)
            if compression == .jpeg { handle.expectRGB() }
            let pixels = try TIFFPixels(
                handle, compression,
                namesExtraSamples: directory.integer(TIFFTag.extraSamples) != nil)
            layout = pixels.layout
            isLab = pixels.isLab
            notes = pixels.isFloat ? ["floating-point samples clipped to 0…1"] : []
            reader = try Self.reader(handle, pixels)

            let (decodedBytes, overflow) = layout.rowBytes.multipliedReportingOverflow(
                by: layout.height)
            source.allowance = TIFFSource.allowance(
                file.length, decodedBytes: overflow ? .max : decodedBytes)
            if isTolerant { source.padding = compression == .jpeg ? (0xff, 0xd9) : (0, 0) }
            // Unsupported JPEGs throw here, not at the first row.
            if compression == .jpeg { try handle.prepare(0, compression) }
        }

        package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
            if let fault { throw fault }
            guard let start = row.baseAddress, row.count >= layout.rowBytes, nextRow < layout.height
            else {
                throw DecodingFault(.corrupt, at: 0, "no further row, or a row buffer too small")
            }
            do {
                try reader.read(row: nextRow, into: start)
            } catch {
                fault = error
                throw error
            }
            nextRow += 1
        }

        private static func reader(
            _ handle: TIFFHandle, _ pixels: TIFFPixels
        ) throws(DecodingFault) -> any TIFFUnitReader {
            if handle.isTiled {
                guard let width = handle.integer32(TIFFTag.tileWidth),
                    let height = handle.integer32(TIFFTag.tileLength), width > 0, height > 0
                else { throw DecodingFault(.corrupt, at: 0, "tiles without a size") }
                return try TIFFTileReader(handle, pixels, tileWidth: width, tileHeight: height)
            }
            guard let rows = handle.integer32(TIFFTag.rowsPerStrip), rows > 0 else {
                throw DecodingFault(.corrupt, at: 0, "strips without rows")
            }
            let rowsPerStrip = min(rows, pixels.layout.height)
            // libtiff reads single rows of one plane only, and buffers one strip.
            guard pixels.isSeparate || handle.unitBytes <= bytesDecodedAtOnce else {
                return try TIFFScanlineReader(handle, pixels, rowsPerStrip: rowsPerStrip)
            }
            return try TIFFTileReader(
                handle, pixels, tileWidth: pixels.layout.width, tileHeight: rowsPerStrip)
        }
    }
#endif
