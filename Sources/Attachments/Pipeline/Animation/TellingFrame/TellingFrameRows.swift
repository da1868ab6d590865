internal import AttachmentFormats
internal import AttachmentModel

/// Rows of the canvas at the most telling frame of an animation, as for a still picture.
///
/// Grey frames give grey with alpha, so that a profile and tags apply as to a grey still.
final class TellingFrameRows: DecodedRows {
    let layout: RowLayout
    var profile: [UInt8]? { colours.profile }
    var tags: ColourTags? { colours.tags }
    var notes: [String] { colours.notes }
    private let colours: CanvasColours
    private let file: ScratchFile
    /// A row of the canvas; empty for colour.
    private var pixels: [UInt8]
    private var y = 0

    init(_ file: ScratchFile, width: Int, height: Int, _ colours: CanvasColours) {
        (self.file, self.colours) = (file, colours)
        layout = RowLayout(width: width, height: height, bands: colours.isGrey ? 2 : 4)
        pixels = Array(
            repeating: 0, count: colours.isGrey ? width * AnimationCanvas.pixelBytes : 0)
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(row.count == layout.rowBytes, "a row of another size")
        guard y < layout.height else {
            throw DecodingFault(.truncated, at: 0, "the picture has no more rows")
        }
        let start = y * layout.width * AnimationCanvas.pixelBytes
        y += 1
        guard colours.isGrey else { return try file.read(into: row, at: start) }
        let file = file
        try pixels.withUnsafeMutableBytes { pixels in
            Result { () throws(DecodingFault) in try file.read(into: pixels, at: start) }
        }.get()
        for x in 0..<layout.width {
            row[2 * x] = pixels[AnimationCanvas.pixelBytes * x]
            row[2 * x + 1] = pixels[AnimationCanvas.pixelBytes * x + 3]
        }
    }
}
