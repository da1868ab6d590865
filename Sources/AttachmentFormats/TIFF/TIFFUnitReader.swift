/// Reader for the rows of a picture in strips or tiles, once from top to bottom.
protocol TIFFUnitReader: AnyObject {
    /// Writes the row that follows the previous one.
    func read(row: Int, into pixels: UnsafeMutableRawPointer) throws(DecodingFault)
}

/// Decodes whole strips, into file-backed memory if large.
final class TIFFStripReader: TIFFUnitReader {
    private let handle: TIFFHandle
    private let pixels: TIFFPixels
    private let conversion: TIFFConversion
    private let rowsPerStrip: Int
    private let rowBytes: Int
    private let stripBytes: Int
    /// A decoded strip; one per plane if planes are separate.
    private let strips: FrameMemory
    /// One per plane.
    private var readAhead: [ReadAhead]
    /// Number of decoded planes; 1 for interleaved samples.
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
        // The strip must hold `rowBytes` for each of its rows.
        guard !overflow, stripBytes / rowBytes >= rowsPerStrip else {
            throw DecodingFault(.overCeiling, at: 0, "a strip of \(stripBytes) bytes")
        }
        strips = try FrameMemory(unitBytes: bytes, scratch: handle.scratch)
        readAhead = Array(repeating: ReadAhead(), count: pixels.isSeparate ? planes : 0)
        if !pixels.isSeparate { strips.adviseSequentialReads() }
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
                readAhead[plane].prefetch(coded + plane * stripBytes, stride: rowBytes, in: file)
            }
        }
        for plane in 0..<planes {
            conversion.write(
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

/// Decodes long strips row by row, holding at most one row.
final class TIFFScanlineReader: TIFFUnitReader {
    private let handle: TIFFHandle
    private let pixels: TIFFPixels
    private let conversion: TIFFConversion
    private let rowsPerStrip: Int
    /// A decoded row; nil if rows are decoded in place.
    private let line: FrameMemory?
    private var offset = 0
    /// True after damage, beyond which the strip cannot be decoded.
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
    /// Number of decoded planes of strips or tiles; dropped samples have none.
    var decodedPlanes: Int { isSeparate ? layout.bands : 1 }

    /// Checks libtiff's row size, which memory is counted with.
    func check(_ bytes: Int, isRowOf width: Int) throws(DecodingFault) {
        guard bytes == codedRowBytes(pixels: width) else {
            throw DecodingFault(.unsupported, at: 0, "a TIFF with rows of \(bytes) bytes")
        }
    }
}

extension TIFFHandle {
    /// Decodes a strip or tile.
    ///
    /// A tolerant handle leaves damaged parts blank.
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
    /// True for faults that later bytes may not share.
    fileprivate var isDamage: Bool { code == .corrupt || code == .truncated }
}
