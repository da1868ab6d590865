/// Gives the rows of a picture that lies in strips or tiles, from top to bottom, once.
protocol TIFFUnitReader: AnyObject {
    /// Writes a row.
    ///
    /// - Parameters:
    ///   - row: Its number, one more than that of the row before.
    ///   - pixels: Room for the row.
    /// - Throws: `DecodingFault`.
    func read(row: Int, into pixels: UnsafeMutableRawPointer) throws(DecodingFault)
}

/// Decodes whole strips, into memory that is file-backed where they are large.
final class TIFFStripReader: TIFFUnitReader {
    private let handle: TIFFHandle
    private let pixels: TIFFPixels
    private let conversion: TIFFConversion
    private let rowsPerStrip: Int
    private let rowBytes: Int
    private let stripBytes: Int
    /// A strip; one of each plane behind the other where planes are separate.
    private let strips: FrameMemory
    /// One for each plane.
    private var readAhead: [ReadAhead]
    /// The planes that are decoded, 1 where samples are interleaved.
    private let planes: Int

    init(_ handle: TIFFHandle, _ pixels: TIFFPixels, rowsPerStrip: Int) throws(DecodingFault) {
        self.handle = handle
        self.pixels = pixels
        self.rowsPerStrip = rowsPerStrip
        conversion = TIFFConversion(pixels)
        rowBytes = handle.unitRowBytes
        stripBytes = handle.unitBytes
        try pixels.check(rowBytes, isRowOf: pixels.layout.width)
        planes = pixels.decodedPlanes
        let (bytes, overflow) = stripBytes.multipliedReportingOverflow(by: planes)
        // `rowBytes` for each of the rows, or the strip would not hold what is read from it.
        guard !overflow, stripBytes / rowBytes >= rowsPerStrip else {
            throw DecodingFault(.overCeiling, at: 0, "a strip of \(stripBytes) bytes")
        }
        strips = try FrameMemory(unitBytes: bytes, scratch: handle.scratch)
        readAhead = Array(repeating: ReadAhead(), count: pixels.isSeparate ? planes : 0)
        if !pixels.isSeparate { strips.expectForwardReads() }
    }

    func read(row: Int, into output: UnsafeMutableRawPointer) throws(DecodingFault) {
        if row.isMultiple(of: rowsPerStrip) { try decodeStrips(row / rowsPerStrip) }
        guard let start = strips.bytes.baseAddress else { return }
        // Within the strip, since the row is below `rowsPerStrip`.
        let coded = start + row % rowsPerStrip * rowBytes
        guard pixels.isSeparate else {
            return conversion.convert(coded, count: pixels.layout.width, to: output)
        }
        if let file = strips.file {
            for plane in readAhead.indices {
                readAhead[plane].cover(coded + plane * stripBytes, stride: rowBytes, in: file)
            }
        }
        for plane in 0..<planes {
            conversion.place(
                coded + plane * stripBytes, asBand: plane, count: pixels.layout.width, in: output)
        }
        conversion.finish(output, count: pixels.layout.width)
    }

    private func decodeStrips(_ strip: Int) throws(DecodingFault) {
        let stripsPerPlane = (pixels.layout.height - 1) / rowsPerStrip + 1
        for plane in 0..<planes {
            let memory = UnsafeMutableRawBufferPointer(
                rebasing: strips.bytes[plane * stripBytes..<(plane + 1) * stripBytes])
            try handle.decode(
                plane * stripsPerPlane + strip, orBlankInto: memory, pixels.compression)
        }
    }
}

/// Decodes strips of many rows a row at a time, and holds one row at the most.
final class TIFFScanlineReader: TIFFUnitReader {
    private let handle: TIFFHandle
    private let pixels: TIFFPixels
    private let conversion: TIFFConversion
    private let rowsPerStrip: Int
    /// A row as it is decoded; nil when that is in place.
    private let line: FrameMemory?
    private var offset = 0
    /// Whether the strip is damaged, so that nothing more can be decoded of it.
    private var isBroken = false

    init(_ handle: TIFFHandle, _ pixels: TIFFPixels, rowsPerStrip: Int) throws(DecodingFault) {
        self.handle = handle
        self.pixels = pixels
        self.rowsPerStrip = rowsPerStrip
        conversion = TIFFConversion(pixels)
        try pixels.check(handle.unitRowBytes, isRowOf: pixels.layout.width)
        line =
            conversion.isInPlace
            ? nil : try FrameMemory(unitBytes: handle.unitRowBytes, scratch: handle.scratch)
    }

    func read(row: Int, into output: UnsafeMutableRawPointer) throws(DecodingFault) {
        let coded = line?.bytes.baseAddress ?? output
        do {
            if row.isMultiple(of: rowsPerStrip) {
                isBroken = false
                offset = handle.offset(of: row / rowsPerStrip)
                try handle.prepare(row / rowsPerStrip, pixels.compression)
            }
            if handle.isTolerant {
                coded.initializeMemory(as: UInt8.self, repeating: 0, count: handle.unitRowBytes)
            }
            if !isBroken { try handle.decodeRow(row, into: coded, at: offset) }
        } catch {
            guard handle.isTolerant, error.isDamage else { throw error }
            isBroken = true
        }
        conversion.convert(coded, count: pixels.layout.width, to: output)
    }
}

extension TIFFPixels {
    /// How many planes of strips or tiles are decoded: those of spare samples are not.
    var decodedPlanes: Int { isSeparate ? layout.bands : 1 }

    /// Checks what libtiff says of a row, so that memory which is counted in such rows holds them.
    func check(_ bytes: Int, isRowOf width: Int) throws(DecodingFault) {
        guard bytes == codedRowBytes(pixels: width) else {
            throw DecodingFault(.unsupported, at: 0, "a TIFF of rows of \(bytes) bytes")
        }
    }
}

extension TIFFHandle {
    /// Decodes a strip or tile, of which damage leaves the rest blank where it is tolerated.
    ///
    /// - Parameters:
    ///   - unit: Its number.
    ///   - memory: Room for `unitBytes`.
    ///   - compression: That of the file.
    /// - Throws: `DecodingFault`.
    func decode(
        _ unit: Int, orBlankInto memory: UnsafeMutableRawBufferPointer,
        _ compression: TIFFCompression
    ) throws(DecodingFault) {
        if isTolerant { memory.initializeMemory(as: UInt8.self, repeating: 0) }
        do {
            try decode(unit, into: memory, compression)
        } catch {
            guard isTolerant, error.isDamage else { throw error }
        }
    }
}

extension DecodingFault {
    /// Whether the bytes are at fault, of which others may be right.
    fileprivate var isDamage: Bool { code == .corrupt || code == .truncated }
}
