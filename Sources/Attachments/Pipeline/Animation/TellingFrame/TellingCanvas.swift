internal import AttachmentFormats

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
    func rows(_ colours: CanvasColours) throws(DecodingFault) -> any DecodedRows {
        guard !isEmpty else { throw DecodingFault(.unsupported, at: 0, "it has no frame") }
        let rows = TellingFrameRows(file, width: width, height: height, colours)
        return ToneMappedRows(rows) ?? rows
    }
}
