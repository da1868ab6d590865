/// Chroma is repeated, not interpolated, as in libheif 1.15; converting a row allocates nothing.
final class RowConversion {
    /// Pixels per step: their planes fit the first-level cache.
    private static let chunk = 512

    private let planes: FramePlanes
    private let matrix: ColourMatrix
    private let range: SampleRange
    private let toneMapping: ToneMapping?
    /// Five planes of one chunk, each with a spare pixel at both ends; owned by `self`.
    private let workspace: UnsafeMutableRawPointer

    /// Without `toneMapping`, colours stay as coded.
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

    func convert(y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer) {
        if planes.chroma == nil, toneMapping == nil, range.isFull {
            copyLuma(y: y, columns: columns, bytesPerSample: planes.bytesPerSample, into: row)
        } else if planes.bytesPerSample == 1 {
            convert(UInt8.self, y: y, columns: columns, into: row)
        } else {
            convert(UInt16.self, y: y, columns: columns, into: row)
        }
    }

    private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer
    ) {
        guard let start = row.baseAddress else { return }
        let sampleBytes = toneMapping == nil ? MemoryLayout<Sample>.stride : 1
        let pixelBytes = sampleBytes * (planes.chroma == nil ? 1 : 3)
        var x = columns.lowerBound
        while x < columns.upperBound {
            let count = min(Self.chunk, columns.upperBound - x)
            let out = start + (x - columns.lowerBound) * pixelBytes
            if let chroma = planes.chroma {
                convert(chroma, type, x, y, count, into: out)
            } else {
                convertLuma(type, x, y, count, into: out)
            }
            x += count
        }
    }

    @inline(__always)
    private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
        _ chroma: (blue: FramePlanes.Plane, red: FramePlanes.Plane), _ type: Sample.Type,
        _ x: Int, _ y: Int, _ count: Int, into out: UnsafeMutableRawPointer
    ) {
        // In bounds: the caller checked `y` and the columns against the planes' size, and a chroma
        // row has (width + shift) >> shift samples.
        let luma = planes.luma.row(y, of: type)
        let blue = chroma.blue.row(y >> planes.chromaShiftY, of: type)
        let red = chroma.red.row(y >> planes.chromaShiftY, of: type)
        var source = YCbCrRow(luma: luma + x, blue: blue + x, red: red + x, count: count)
        if planes.chromaShiftX == 1 {
            source.blue = upsample(blue, from: x, count, into: plane(3, of: type))
            source.red = upsample(red, from: x, count, into: plane(4, of: type))
        }
        let codes = ColourPlanes(
            red: plane(0, of: type), green: plane(1, of: type), blue: plane(2, of: type))
        let converted = source.converted(by: matrix, range: range, into: codes)
        if let toneMapping {
            toneMapping.map(converted, count, into: out)
        } else {
            converted.interleave(count, shift: range.shiftToFull, into: out)
        }
    }

    private func convertLuma<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ x: Int, _ y: Int, _ count: Int, into out: UnsafeMutableRawPointer
    ) {
        let codes = plane(0, of: type)
        range.fill(planes.luma.row(y, of: type) + x, count, into: codes)
        guard let toneMapping else {
            let size = MemoryLayout<Sample>.stride
            let shift = Sample(truncatingIfNeeded: range.shiftToFull)
            for pixel in 0..<count {
                out.storeBytes(of: codes[pixel] &<< shift, toByteOffset: pixel &* size, as: type)
            }
            return
        }
        // Three bytes per pixel fit the room of three planes of a chunk.
        let mapped = UnsafeMutableRawPointer(plane(1, of: type))
        toneMapping.map(ColourPlanes(red: codes, green: codes, blue: codes), count, into: mapped)
        for pixel in 0..<count {
            let grey = mapped.load(fromByteOffset: 3 &* pixel, as: UInt8.self)
            out.storeBytes(of: grey, toByteOffset: pixel, as: UInt8.self)
        }
    }

    /// Writes luma in full range, scaled to 8 or 16 bits; `y` and `columns` are within the planes.
    func readLuma(
        y: Int, columns: Range<Int>, bytesPerSample: Int, into row: UnsafeMutableRawBufferPointer
    ) {
        if range.isFull {
            copyLuma(y: y, columns: columns, bytesPerSample: bytesPerSample, into: row)
        } else if planes.bytesPerSample == 1 {
            expandLuma(UInt8.self, y, columns, bytesPerSample: bytesPerSample, into: row)
        } else {
            expandLuma(UInt16.self, y, columns, bytesPerSample: bytesPerSample, into: row)
        }
    }

    private func expandLuma<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ y: Int, _ columns: Range<Int>, bytesPerSample: Int,
        into row: UnsafeMutableRawBufferPointer
    ) {
        guard let start = row.baseAddress else { return }
        let codes = plane(0, of: type)
        var x = columns.lowerBound
        while x < columns.upperBound {
            let count = min(Self.chunk, columns.upperBound - x)
            range.fill(planes.luma.row(y, of: type) + x, count, into: codes)
            copy(
                UnsafeRawPointer(codes), count, bytesPerSample: bytesPerSample,
                to: start + (x - columns.lowerBound) * bytesPerSample)
            x += count
        }
    }

    /// Copies codes as they are, scaled to 8 or 16 bits.
    private func copyLuma(
        y: Int, columns: Range<Int>, bytesPerSample: Int, into row: UnsafeMutableRawBufferPointer
    ) {
        guard let out = row.baseAddress else { return }
        let offset = y * planes.luma.stride + columns.lowerBound * planes.bytesPerSample
        copy(
            planes.luma.start + offset, columns.count, bytesPerSample: bytesPerSample, to: out)
    }

    /// `start` has `count` codes of the planes' depth, and `out` room for as many samples.
    private func copy(
        _ start: UnsafeRawPointer, _ count: Int, bytesPerSample: Int,
        to out: UnsafeMutableRawPointer
    ) {
        let depth = planes.bitDepth
        switch (planes.bytesPerSample, bytesPerSample) {
        case (1, 1):
            out.copyMemory(from: start, byteCount: count)
        case (1, _):
            let codes = start.assumingMemoryBound(to: UInt8.self)
            for x in 0..<count {
                // 255 becomes 65535.
                out.storeBytes(of: UInt16(codes[x]) &* 257, toByteOffset: 2 &* x, as: UInt16.self)
            }
        case (_, 1):
            let codes = start.assumingMemoryBound(to: UInt16.self)
            for x in 0..<count {
                let code = UInt8(truncatingIfNeeded: codes[x] &>> UInt16(depth &- 8))
                out.storeBytes(of: code, toByteOffset: x, as: UInt8.self)
            }
        default:
            let codes = start.assumingMemoryBound(to: UInt16.self)
            for x in 0..<count {
                let code = codes[x] &<< UInt16(16 &- depth)
                out.storeBytes(of: code, toByteOffset: 2 &* x, as: UInt16.self)
            }
        }
    }

    private func plane<Sample>(_ index: Int, of type: Sample.Type) -> UnsafeMutablePointer<Sample> {
        (workspace + index * Self.planeBytes).assumingMemoryBound(to: type)
    }

    /// The result starts at pixel `x`.
    @inline(__always)
    private func upsample<Sample>(
        _ samples: UnsafePointer<Sample>, from x: Int, _ count: Int,
        into pixels: UnsafeMutablePointer<Sample>
    ) -> UnsafePointer<Sample> {
        let first = samples + (x >> 1)
        // If x is odd, its pair starts one pixel earlier. At most chunk + 2 of chunk + 32 pixels
        // are written.
        for pair in 0..<(count &+ (x & 1) &+ 1) >> 1 {
            let sample = first[pair]
            pixels[2 &* pair] = sample
            pixels[2 &* pair &+ 1] = sample
        }
        return UnsafePointer(pixels + (x & 1))
    }
}

extension FramePlanes.Plane {
    @inline(__always)
    func row<Sample>(_ y: Int, of type: Sample.Type) -> UnsafePointer<Sample> {
        (start + y * stride).assumingMemoryBound(to: type)
    }
}
