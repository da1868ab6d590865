internal import AttachmentModel

/// Planes in a scratch file, or on the heap up to 64 KiB; not `Sendable`, for one thread.
final class DecodedFrame {
    var width: Int { planes.width }
    var height: Int { planes.height }
    var bitDepth: Int { planes.bitDepth }
    var isMonochrome: Bool { planes.chroma == nil }
    let isToneMapped: Bool
    /// Colours after any tone mapping; nil for sRGB.
    let tags: ColourTags?

    let planes: FramePlanes
    private let conversion: RowConversion
    private var readAhead = (luma: ReadAhead(), blue: ReadAhead(), red: ReadAhead())

    init(planes: FramePlanes, colours: CodedColours, hasProfile: Bool) {
        self.planes = planes
        let toneMapping = hasProfile ? nil : ToneMapping(from: colours, bitDepth: planes.bitDepth)
        isToneMapped = toneMapping != nil
        tags = isToneMapped ? nil : colours.tags(isGrey: planes.chroma == nil)
        conversion = RowConversion(of: planes, from: colours, toneMapping: toneMapping)
    }

    var bytesPerSample: Int { bitDepth > 8 && !isToneMapped ? 2 : 1 }
    var bands: Int { isMonochrome ? 1 : 3 }

    /// Writes pixels as interleaved RGB or grey; 16-bit samples are full range, in native order.
    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer) {
        check(y, columns, columns.count * bands * bytesPerSample, row)
        conversion.convert(y: y, columns: columns, into: row)
    }

    /// Writes luma for alpha planes in full range, scaled to 8 or 16 bits.
    func readLuma(
        _ y: Int, columns: Range<Int>, bytesPerSample: Int, into row: UnsafeMutableRawBufferPointer
    ) {
        check(y, columns, columns.count * bytesPerSample, row)
        conversion.readLuma(y: y, columns: columns, bytesPerSample: bytesPerSample, into: row)
    }

    /// Makes every pointer into the planes valid, and announces the read.
    private func check(
        _ y: Int, _ columns: Range<Int>, _ bytes: Int, _ row: UnsafeMutableRawBufferPointer
    ) {
        precondition(y >= 0 && y < height, "no such row")
        precondition(columns.lowerBound >= 0 && columns.upperBound <= width, "no such columns")
        precondition(row.count >= bytes, "no room for the row")
        guard let file = planes.memory.file else { return }
        readAhead.luma.prefetch(
            planes.luma.start + y * planes.luma.stride, stride: planes.luma.stride, in: file)
        guard let chroma = planes.chroma else { return }
        let (offset, stride) = ((y >> planes.chromaShiftY) * chroma.blue.stride, chroma.blue.stride)
        readAhead.blue.prefetch(chroma.blue.start + offset, stride: stride, in: file)
        readAhead.red.prefetch(chroma.red.start + offset, stride: stride, in: file)
    }
}
