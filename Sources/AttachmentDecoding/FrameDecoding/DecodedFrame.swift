/// A decoded frame whose rows can be read in any order, as often as wanted.
///
/// Its planes lie in a scratch file, or on the heap when they take less than half a megabyte; both
/// go with the last reference. It is not `Sendable`: one thread reads at a time.
package final class DecodedFrame {
    /// Pixels in a row.
    package var width: Int { planes.width }
    /// Rows.
    package var height: Int { planes.height }
    /// Bits of a coded sample: 8, 10 or 12, with HEVC any number from 8 to 16.
    package var bitDepth: Int { planes.bitDepth }
    /// Whether there is luma only.
    package var isMonochrome: Bool { planes.chroma == nil }
    /// The colours that samples are converted from: those of the item, else of the bitstream.
    package let colours: CodedColours
    /// Whether rows are tone-mapped from PQ or HLG to sRGB, 8 bits a sample.
    package let isToneMapped: Bool

    /// What holds the samples.
    let planes: FramePlanes
    private let conversion: RowConversion
    private var readAhead = (luma: ReadAhead(), blue: ReadAhead(), red: ReadAhead())

    /// Makes a frame of planes.
    ///
    /// - Parameters:
    ///   - planes: What the decoder gave.
    ///   - colours: What the samples mean.
    ///   - hasProfile: Whether an ICC profile says it instead: no tone mapping then.
    init(planes: FramePlanes, colours: CodedColours, hasProfile: Bool) {
        self.planes = planes
        self.colours = colours
        let toneMapping =
            hasProfile ? nil : ToneMapping(from: colours, bitDepth: planes.bitDepth)
        isToneMapped = toneMapping != nil
        conversion = RowConversion(of: planes, from: colours, toneMapping: toneMapping)
    }

    /// What a sample of a row takes: 1 byte, or 2 when more than 8 bits are coded.
    package var bytesPerSample: Int { bitDepth > 8 && !isToneMapped ? 2 : 1 }
    /// Samples of a pixel of a row: 1 for grey, 3 for red, green and blue.
    package var bands: Int { isMonochrome ? 1 : 3 }

    /// Writes pixels of one row as interleaved RGB, or as grey when there is luma only.
    ///
    /// Samples of two bytes are in the machine's order and shifted to the full 16 bits.
    ///
    /// - Parameters:
    ///   - y: The row, from 0.
    ///   - columns: Which pixels of it.
    ///   - row: Room for the pixels: `columns.count * bands * bytesPerSample` bytes.
    package func readRow(
        _ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer
    ) {
        check(y, columns, columns.count * bands * bytesPerSample, row)
        if isMonochrome {
            conversion.convertLuma(y: y, columns: columns, into: row)
        } else {
            conversion.convert(y: y, columns: columns, into: row)
        }
    }

    /// Writes luma of one row, for alpha planes: the codes, which the range of colours is not for.
    ///
    /// - Parameters:
    ///   - y: The row, from 0.
    ///   - columns: Which pixels of it.
    ///   - bytesPerSample: 1, or 2 for samples in the machine's order that use 16 bits; what is
    ///     coded is shifted to that.
    ///   - row: Room for the pixels: `columns.count * bytesPerSample` bytes.
    package func readLuma(
        _ y: Int, columns: Range<Int>, bytesPerSample: Int,
        into row: UnsafeMutableRawBufferPointer
    ) {
        check(y, columns, columns.count * bytesPerSample, row)
        conversion.copyLuma(
            planes.luma, y: y, columns: columns, bytesPerSample: bytesPerSample, into: row)
    }

    /// Checks what is asked for, on which every pointer into the planes rests, and announces it.
    private func check(
        _ y: Int, _ columns: Range<Int>, _ bytes: Int, _ row: UnsafeMutableRawBufferPointer
    ) {
        precondition(y >= 0 && y < height, "no such row")
        precondition(columns.lowerBound >= 0 && columns.upperBound <= width, "no such columns")
        precondition(row.count >= bytes, "no room for the row")
        guard let file = planes.memory.file else { return }
        readAhead.luma.cover(
            planes.luma.start + y * planes.luma.stride, stride: planes.luma.stride, in: file)
        guard let chroma = planes.chroma else { return }
        let (offset, stride) = ((y >> planes.chromaShiftY) * chroma.blue.stride, chroma.blue.stride)
        readAhead.blue.cover(chroma.blue.start + offset, stride: stride, in: file)
        readAhead.red.cover(chroma.red.start + offset, stride: stride, in: file)
    }
}
