/// Converts rows of planes to interleaved samples, a few hundred pixels at a time.
///
/// Chroma is repeated, not interpolated, as libheif 1.15 does it. Nothing is allocated by a row.
final class RowConversion {
    /// How many pixels are converted at a time: planes of them stay in the first-level cache.
    private static let chunk = 512

    private let planes: FramePlanes
    private let matrix: ColourMatrix
    private let range: SampleRange
    private let toneMapping: ToneMapping?
    /// Five planes of a chunk, each with a pixel more on either side; owned by `self`.
    private let workspace: UnsafeMutableRawPointer

    /// Prepares for a frame.
    ///
    /// - Parameters:
    ///   - planes: The frame.
    ///   - colours: What its samples mean.
    ///   - toneMapping: What takes its codes to sRGB; nil when they stay as they are.
    init(of planes: FramePlanes, from colours: CodedColours, toneMapping: ToneMapping?) {
        self.planes = planes
        self.toneMapping = toneMapping
        matrix = ColourMatrix(colours)
        range = SampleRange(
            bitDepth: planes.bitDepth, isFull: colours.isFullRange, isToneMapped: toneMapping != nil
        )
        workspace = .allocate(byteCount: 5 * Self.planeBytes, alignment: 64)
    }

    deinit { workspace.deallocate() }

    private static var planeBytes: Int { (chunk + 32) * MemoryLayout<UInt16>.stride }

    /// Converts pixels of one row to red, green and blue.
    ///
    /// - Parameters:
    ///   - y: The row, within the planes.
    ///   - columns: Which pixels of it, within the planes.
    ///   - row: Room for the pixels.
    func convert(y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer) {
        if planes.bytesPerSample == 1 {
            convert(UInt8.self, y: y, columns: columns, into: row)
        } else {
            convert(UInt16.self, y: y, columns: columns, into: row)
        }
    }

    private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, y: Int, columns: Range<Int>,
        into row: UnsafeMutableRawBufferPointer
    ) {
        guard let chroma = planes.chroma, var out = row.baseAddress else { return }
        // In bounds: the caller checked `y` and `columns` against the planes' size, and a chroma
        // plane has (width + shift) >> shift samples in a row.
        let luma = planes.luma.row(y, of: type)
        let blue = chroma.blue.row(y >> planes.chromaShiftY, of: type)
        let red = chroma.red.row(y >> planes.chromaShiftY, of: type)
        let codes = ColourPlanes(
            red: plane(0, of: type), green: plane(1, of: type), blue: plane(2, of: type))
        var x = columns.lowerBound
        while x < columns.upperBound {
            let count = min(Self.chunk, columns.upperBound - x)
            var source = YCbCrRow(luma: luma + x, blue: blue + x, red: red + x, count: count)
            if planes.chromaShiftX == 1 {
                source.blue = spread(blue, from: x, count, into: plane(3, of: type))
                source.red = spread(red, from: x, count, into: plane(4, of: type))
            }
            let converted = source.converted(by: matrix, range: range, into: codes)
            if let toneMapping {
                toneMapping.map(converted, count, into: out)
                out += 3 * count
            } else {
                converted.interleave(count, shift: range.shiftToFull, into: out)
                out += 3 * count * MemoryLayout<Sample>.stride
            }
            x += count
        }
    }

    /// Converts pixels of one row of luma alone to grey.
    ///
    /// - Parameters:
    ///   - y: The row, within the planes.
    ///   - columns: Which pixels of it, within the planes.
    ///   - row: Room for the pixels.
    func convertLuma(y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer) {
        guard toneMapping != nil || !range.isFull else {
            return copyLuma(
                planes.luma, y: y, columns: columns, bytesPerSample: planes.bytesPerSample,
                into: row)
        }
        if planes.bytesPerSample == 1 {
            convertLuma(UInt8.self, y: y, columns: columns, into: row)
        } else {
            convertLuma(UInt16.self, y: y, columns: columns, into: row)
        }
    }

    private func convertLuma<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer
    ) {
        guard var out = row.baseAddress else { return }
        let luma = planes.luma.row(y, of: type)
        let codes = plane(0, of: type)
        // Three samples a pixel take the room of three planes of a chunk.
        let mapped = UnsafeMutableRawPointer(plane(1, of: type))
        let shift = Sample(truncatingIfNeeded: range.shiftToFull)
        var x = columns.lowerBound
        while x < columns.upperBound {
            let count = min(Self.chunk, columns.upperBound - x)
            range.fill(luma + x, count, into: codes)
            if let toneMapping {
                toneMapping.map(
                    ColourPlanes(red: codes, green: codes, blue: codes), count, into: mapped)
                for pixel in 0..<count {
                    let grey = mapped.load(fromByteOffset: 3 &* pixel, as: UInt8.self)
                    out.storeBytes(of: grey, toByteOffset: pixel, as: UInt8.self)
                }
                out += count
            } else {
                let size = MemoryLayout<Sample>.stride
                for pixel in 0..<count {
                    out.storeBytes(
                        of: codes[pixel] &<< shift, toByteOffset: pixel &* size, as: type)
                }
                out += count * size
            }
            x += count
        }
    }

    /// Writes luma, shifted to 8 or 16 bits.
    ///
    /// - Parameters:
    ///   - plane: The luma plane.
    ///   - y: The row, within the planes.
    ///   - columns: Which pixels of it, within the planes.
    ///   - bytesPerSample: 1 or 2.
    ///   - row: Room for the pixels.
    func copyLuma(
        _ plane: FramePlanes.Plane, y: Int, columns: Range<Int>, bytesPerSample: Int,
        into row: UnsafeMutableRawBufferPointer
    ) {
        guard let out = row.baseAddress else { return }
        let depth = planes.bitDepth
        switch (planes.bytesPerSample, bytesPerSample) {
        case (1, 1):
            out.copyMemory(
                from: plane.row(y, of: UInt8.self) + columns.lowerBound, byteCount: columns.count)
        case (1, _):
            let codes = plane.row(y, of: UInt8.self) + columns.lowerBound
            for x in 0..<columns.count {
                // 255 becomes 65535.
                out.storeBytes(of: UInt16(codes[x]) &* 257, toByteOffset: 2 &* x, as: UInt16.self)
            }
        case (_, 1):
            let codes = plane.row(y, of: UInt16.self) + columns.lowerBound
            for x in 0..<columns.count {
                let code = UInt8(truncatingIfNeeded: codes[x] &>> UInt16(depth &- 8))
                out.storeBytes(of: code, toByteOffset: x, as: UInt8.self)
            }
        default:
            let codes = plane.row(y, of: UInt16.self) + columns.lowerBound
            for x in 0..<columns.count {
                let code = codes[x] &<< UInt16(16 &- depth)
                out.storeBytes(of: code, toByteOffset: 2 &* x, as: UInt16.self)
            }
        }
    }

    private func plane<Sample>(_ index: Int, of type: Sample.Type) -> UnsafeMutablePointer<Sample> {
        (workspace + index * Self.planeBytes).assumingMemoryBound(to: type)
    }

    /// Repeats each chroma sample for two pixels; the result begins at pixel `x`.
    @inline(__always)
    private func spread<Sample>(
        _ samples: UnsafePointer<Sample>, from x: Int, _ count: Int,
        into pixels: UnsafeMutablePointer<Sample>
    ) -> UnsafePointer<Sample> {
        let first = samples + (x >> 1)
        // The pair that holds pixel x begins a pixel before it when x is odd; at most chunk + 2
        // pixels are written, of chunk + 32.
        for pair in 0..<(count &+ (x & 1) &+ 1) >> 1 {
            let sample = first[pair]
            pixels[2 &* pair] = sample
            pixels[2 &* pair &+ 1] = sample
        }
        return UnsafePointer(pixels + (x & 1))
    }
}

extension FramePlanes.Plane {
    /// Where a row begins.
    @inline(__always)
    func row<Sample>(_ y: Int, of type: Sample.Type) -> UnsafePointer<Sample> {
        (start + y * stride).assumingMemoryBound(to: type)
    }
}
