package import AttachmentModel

/// Rows of the first picture of a GIF (GIF89a).
///
/// The result equals the first page of libvips 8.14 with libnsgif, which keeps an RGBA canvas.
/// Alpha is present in three cases. The frame has a transparent index; its data are truncated; or
/// it leaves pixels blank and a later frame has a transparent index. Blank pixels are transparent
/// black. There are four differences:
/// - libvips also adds alpha if no pixel has the frame's transparent index. Here such a picture is
///   opaque, unless it leaves pixels blank.
/// - libvips also adds alpha if only a later frame has a transparent index and the first is opaque
///   and covers the canvas. Here the picture stays opaque.
/// - libvips loses a last code that ends with the last data byte and lacks an end code.
/// - libvips rejects pictures with an illegal code. A tolerant reader returns the pixels before it.
package final class GIFRows: DecodedRows {
    package let layout: RowLayout
    /// Nil: GIF profiles are not in the specification, and libvips ignores them.
    package var profile: [UInt8]? { nil }

    private let frame: GIFFrame
    private let rows: GIFFrameRows
    /// Colours by index, in the byte order of a row.
    private let pixels: [UInt32]
    private var row = 0
    private var fault: DecodingFault?
    private let file: OpenFile
    private let tolerance: FaultTolerance
    private let notes: DecodingNotes

    /// Reads up to the data of the first picture.
    ///
    /// Without `mayHaveAlpha`, for which memory must be planned, blank pixels are black. Sides above
    /// 65,536 pixels throw `limit`: libvips cannot represent them. After the last row `notes` has the
    /// tolerated faults that lose no pixel. `isCancelled` is asked before each row that is searched for
    /// the transparent index.
    package init(
        _ file: OpenFile, tolerating tolerance: FaultTolerance, mayHaveAlpha: Bool = true,
        notes: DecodingNotes = DecodingNotes(), isCancelled: () -> Bool = { false }
    ) throws(DecodingFault) {
        let isTolerant = tolerance == .everything
        var blocks = try GIFBlocks(file, isTolerant: isTolerant)
        guard let frame = try blocks.readFrame() else {
            throw DecodingFault(.corrupt, at: file.length, "a GIF without a picture")
        }
        let canvas = blocks.screen.canvas(for: frame)
        guard canvas.width <= Self.longestSide, canvas.height <= Self.longestSide else {
            throw DecodingFault(
                .limit, at: frame.dataOffset,
                "a canvas of \(canvas.width) × \(canvas.height) pixels")
        }
        guard frame.dataOffset < file.length else {
            throw DecodingFault(.truncated, at: file.length, "the GIF ends before its picture")
        }
        let hasAlpha =
            mayHaveAlpha
            ? try blocks.hasAlpha(
                first: frame, of: file, on: canvas, isTolerant: isTolerant, isCancelled: isCancelled
            )
            : false
        layout = RowLayout(width: canvas.width, height: canvas.height, bands: hasAlpha ? 4 : 3)
        pixels = (frame.localColours ?? blocks.screen.colours)
            .pixels(transparentIndex: frame.control.transparentIndex)
        rows = GIFFrameRows(file, frame: frame, isTolerant: isTolerant)
        self.frame = frame
        (self.file, self.tolerance, self.notes) = (file, tolerance, notes)
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

    /// Walks past the picture, to the trailer of a GIF with one picture.
    ///
    /// Damage there loses no pixel of this picture, so it is no fault.
    private func noteFaults() throws(DecodingFault) {
        do throws(DecodingFault) {
            var blocks = try GIFBlocks(file, isTolerant: tolerance == .everything)
            guard try blocks.readFrame() != nil, try blocks.skipSubBlocks() else { return }
            _ = try blocks.readFrame()
            if tolerance == .nothing, let fault = blocks.faults.texts.first {
                throw DecodingFault(.corrupt, at: frame.dataOffset, fault)
            }
            blocks.faults.forEach(notes.add)
        } catch {
            guard error.code != .unreadable, tolerance != .nothing else { throw error }
            notes.add(error.code == .truncated ? .missingEnd : .strayBytes)
        }
    }

    private func write(to output: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        guard row < layout.height else {
            throw DecodingFault(.truncated, at: file.length, "the picture has no more rows")
        }
        defer { row += 1 }
        if row == layout.height - 1 { try noteFaults() }
        let isWithinFrame = (frame.rect.top..<frame.rect.bottom).contains(row)
        let indices = isWithinFrame ? try rows.next() : UnsafeBufferPointer(start: nil, count: 0)
        let bands = layout.bands
        // In bounds: the canvas holds the frame.
        let first = frame.rect.left * bands
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
                draw(indices, as: pixels, bands: 4, to: drawn)
            } else {
                draw(indices, as: pixels, bands: 3, to: drawn)
            }
        }
    }
}

/// Writes `bands` bytes per index; `pixels` has 256 entries.
@inline(__always)
private func draw(
    _ indices: UnsafeBufferPointer<UInt8>, as pixels: UnsafeBufferPointer<UInt32>, bands: Int,
    to output: UnsafeMutableRawBufferPointer
) {
    // Bounds are checked once here; an index has eight bits.
    guard let output = output.baseAddress, let pixels = pixels.baseAddress, let last = indices.last
    else { return }
    var offset = 0
    // A store of three bands overwrites a byte of the next pixel, so the last one is written apart.
    for index in indices.dropLast() {
        output.storeBytes(
            of: pixels[Int(index)].littleEndian, toByteOffset: offset, as: UInt32.self)
        offset &+= bands
    }
    for band in 0..<bands {
        let sample = UInt8(truncatingIfNeeded: pixels[Int(last)] &>> UInt32(8 &* band))
        output.storeBytes(of: sample, toByteOffset: offset &+ band, as: UInt8.self)
    }
}

extension Slice<UnsafeMutableRawBufferPointer> {
    fileprivate func initializeToZero() {
        _ = UnsafeMutableRawBufferPointer(rebasing: self)
            .initializeMemory(as: UInt8.self, repeating: 0)
    }
}
