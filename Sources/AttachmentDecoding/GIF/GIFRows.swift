/// The first picture of a GIF, row by row (GIF89a).
///
/// It gives what libvips 8.14 gives for the first page, through libnsgif, which keeps four bytes for
/// every pixel of the canvas: red, green and blue, and alpha when the frame has a transparent index
/// or its data are cut, or when it leaves pixels blank and a later frame has a transparent index.
/// What it leaves blank is black, of alpha 0. It differs from libvips in three things:
/// - libvips adds alpha also where only a later frame has a transparent index and the first one
///   covers the canvas with colours; that alpha is left out here.
/// - libvips loses a last code that ends with the last byte of data without an end code.
/// - libvips refuses pictures with an illegal code; tolerantly they are given as far as they go.
package final class GIFRows: DecodedRows {
    package let layout: RowLayout
    /// None: the profiles that some applications add are not in the specification, and libvips
    /// passes over them.
    package var profile: [UInt8]? { nil }

    private let frame: GIFFrame
    private let rows: GIFFrameRows
    /// What indices stand for, in the byte order of a row.
    private let pixels: [UInt32]
    private var row = 0
    private var fault: DecodingFault?
    private let length: Int

    /// Opens a GIF and reads up to the data of its first picture.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's, and open as long as
    ///     rows are read.
    ///   - length: The length of the file, in bytes.
    ///   - isTolerant: Whether missing and damaged data leave pixels blank; else they are a fault.
    ///   - mayHaveAlpha: Whether memory for alpha was planned; without, blank pixels are black. The
    ///     default is true.
    /// - Throws: `DecodingFault` with code `corrupt`, `truncated`, `unreadable`, or `overCeiling` for
    ///   a canvas of more than 65,536 pixels in a row or as many rows, which libvips has not either.
    package init(
        descriptor: CInt, length: Int, isTolerant: Bool, mayHaveAlpha: Bool = true
    ) throws(DecodingFault) {
        var blocks = try GIFBlocks(descriptor: descriptor, length: length, isTolerant: isTolerant)
        guard let frame = try blocks.readFrame() else {
            throw DecodingFault(.corrupt, at: length, "a GIF without a picture")
        }
        let canvas = blocks.screen.canvas(for: frame)
        guard canvas.width <= Self.longestSide, canvas.height <= Self.longestSide else {
            throw DecodingFault(
                .overCeiling, at: frame.dataOffset,
                "a canvas of \(canvas.width) × \(canvas.height) pixels")
        }
        guard frame.dataOffset < length else {
            throw DecodingFault(.truncated, at: length, "the GIF ends before its picture")
        }
        let hasAlpha =
            mayHaveAlpha
            ? try blocks.hasAlpha(first: frame, on: canvas, isTolerant: isTolerant) : false
        layout = RowLayout(
            width: canvas.width, height: canvas.height, bands: hasAlpha ? 4 : 3)
        pixels = (frame.localColours ?? blocks.screen.colours)
            .pixels(transparentIndex: frame.control.transparentIndex)
        rows = GIFFrameRows(
            descriptor: descriptor, length: length, frame: frame, isTolerant: isTolerant)
        self.frame = frame
        self.length = length
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        if let fault { throw fault }
        precondition(row.count == layout.rowBytes, "a row of another size")
        do throws(DecodingFault) {
            try write(to: row)
        } catch {
            fault = error
            throw error
        }
    }

    private static let longestSide = 1 << 16

    private func write(to output: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        guard row < layout.height else {
            throw DecodingFault(.truncated, at: length, "the picture has no more rows")
        }
        defer { row += 1 }
        let isWithinFrame = row >= frame.top && row < frame.top + frame.height
        let indices =
            isWithinFrame ? try rows.next() : UnsafeBufferPointer(start: nil, count: 0)
        let bands = layout.bands
        // The canvas has room for the frame, so both ends are within the row.
        let first = frame.left * bands
        let end = first + indices.count * bands
        guard !indices.isEmpty else {
            _ = output.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        output[..<first].initializeToZero()
        output[end...].initializeToZero()
        let drawn = UnsafeMutableRawBufferPointer(rebasing: output[first..<end])
        pixels.withUnsafeBufferPointer { pixels in
            if bands == 4 {
                drawRGBA(indices, as: pixels, to: drawn)
            } else {
                drawRGB(indices, as: pixels, to: drawn)
            }
        }
    }
}

/// Writes the pixels that indices stand for.
///
/// - Parameters:
///   - indices: The indices.
///   - pixels: 256 pixels.
///   - output: Room for four bytes for each index.
private func drawRGBA(
    _ indices: UnsafeBufferPointer<UInt8>, as pixels: UnsafeBufferPointer<UInt32>,
    to output: UnsafeMutableRawBufferPointer
) {
    // Bounds are checked here once; an index has eight bits.
    guard let output = output.baseAddress, let pixels = pixels.baseAddress else { return }
    var place = 0
    for index in indices {
        output.storeBytes(
            of: pixels[Int(index)].littleEndian, toByteOffset: place, as: UInt32.self)
        place &+= 4
    }
}

/// Writes the pixels that indices stand for, without alpha.
///
/// - Parameters:
///   - indices: The indices.
///   - pixels: 256 pixels.
///   - output: Room for three bytes for each index.
private func drawRGB(
    _ indices: UnsafeBufferPointer<UInt8>, as pixels: UnsafeBufferPointer<UInt32>,
    to output: UnsafeMutableRawBufferPointer
) {
    guard let output = output.baseAddress, let pixels = pixels.baseAddress,
        let last = indices.last
    else { return }
    var place = 0
    // Every store writes one byte into the next pixel; the last pixel gets three bytes alone.
    for index in indices.dropLast() {
        output.storeBytes(
            of: pixels[Int(index)].littleEndian, toByteOffset: place, as: UInt32.self)
        place &+= 3
    }
    for band in 0..<3 {
        let sample = UInt8(truncatingIfNeeded: pixels[Int(last)] &>> UInt32(8 &* band))
        output.storeBytes(of: sample, toByteOffset: place &+ band, as: UInt8.self)
    }
}

extension Slice<UnsafeMutableRawBufferPointer> {
    fileprivate func initializeToZero() {
        _ = UnsafeMutableRawBufferPointer(rebasing: self)
            .initializeMemory(as: UInt8.self, repeating: 0)
    }
}
