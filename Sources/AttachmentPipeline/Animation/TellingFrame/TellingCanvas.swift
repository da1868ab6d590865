package import AttachmentFormats

/// Keeps the canvas of the most telling frame while the frames are drawn, for the stills.
final class TellingCanvas {
    private var telling = TellingFrame()
    private let width: Int
    private let height: Int
    private let file: ScratchFile
    private var isEmpty = true

    /// Bytes written at once.
    private static let pieceBytes = 128 << 10

    init(width: Int, height: Int, in space: PlaneSpace) {
        (self.width, self.height, file) = (width, height, ScratchFile(in: space.scratch))
    }

    /// Adds a drawn frame; `pixels` are those to judge, of the canvas or reduced.
    func add(
        _ frame: Int, _ canvas: AnimationCanvas, _ pixels: PixelView, changed: ChangedRegion
    ) throws(DecodingFault) {
        guard telling.add(frame, pixels, changed: changed) else { return }
        let rows = max(1, Self.pieceBytes / (width * AnimationCanvas.pixelBytes))
        for top in stride(from: 0, to: height, by: rows) {
            let count = min(rows, height - top) * width
            let pixels = UnsafeBufferPointer(start: try canvas.row(top), count: count)
            try file.write(
                UnsafeRawBufferPointer(pixels), at: top * width * AnimationCanvas.pixelBytes)
        }
        isEmpty = false
    }

    /// Number of the frame.
    var index: Int { telling.index }

    /// Rows of the canvas; throws `unsupported` if there was no frame.
    func rows() throws(DecodingFault) -> TellingFrameRows {
        guard !isEmpty else { throw DecodingFault(.unsupported, at: 0, "it has no frame") }
        return TellingFrameRows(file, RowLayout(width: width, height: height, bands: 4))
    }
}

/// Rows of the canvas at the most telling frame of an animation, for the stills.
package final class TellingFrameRows: DecodedRows {
    package let layout: RowLayout
    /// Always nil: like viewers, assumes sRGB for animations.
    package var profile: [UInt8]? { nil }
    private let file: ScratchFile
    private var y = 0

    init(_ file: ScratchFile, _ layout: RowLayout) {
        (self.file, self.layout) = (file, layout)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(row.count == layout.rowBytes, "a row of another size")
        guard y < layout.height else {
            throw DecodingFault(.truncated, at: 0, "the picture has no more rows")
        }
        try file.read(into: row, at: y * layout.rowBytes)
        y += 1
    }
}
