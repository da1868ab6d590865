#if SYSTEM_CODECS
    /// Reader for the rows of a picture in strips or tiles, once from top to bottom.
    protocol TIFFUnitReader: AnyObject {
        func read(row: Int, into pixels: UnsafeMutableRawPointer) throws(DecodingFault)
    }

    /// Decodes long strips row by row, holding at most one row.
    final class TIFFScanlineReader: TIFFUnitReader {
        private let handle: TIFFHandle
        private let pixels: TIFFPixels
        private let rowsPerStrip: Int
        /// A decoded row; nil if rows are decoded in place.
        private let line: FrameMemory?
        private var offset = 0
        /// True after damage, beyond which the strip cannot be decoded.
        private var isBroken = false

        init(_ handle: TIFFHandle, _ pixels: TIFFPixels, rowsPerStrip: Int) throws(DecodingFault) {
            (self.handle, self.pixels, self.rowsPerStrip) = (handle, pixels, rowsPerStrip)
            try pixels.check(handle.unitRowBytes, isRowOf: pixels.layout.width)
            line =
                pixels.isInPlace
                ? nil
                : try FrameMemory(
                    bytes: handle.unitRowBytes, heapLimit: FrameMemory.unitsOnHeap,
                    scratch: handle.scratch)
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
            pixels.convert(coded, count: pixels.layout.width, to: output)
        }
    }

    extension TIFFPixels {
        /// Checks libtiff's row size, which memory is counted with.
        func check(_ bytes: Int, isRowOf width: Int) throws(DecodingFault) {
            guard bytes == codedRowBytes(pixels: width) else {
                throw DecodingFault(.unsupported, at: 0, "a TIFF with rows of \(bytes) bytes")
            }
        }
    }

    extension DecodingFault {
        /// True for faults that later bytes may not share.
        var isDamage: Bool { code == .corrupt || code == .truncated }
    }
#endif
