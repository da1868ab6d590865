package import AttachmentFormats

/// Rows of the canvas at one frame of an animation, for the still and the banner.
package final class TellingFrameRows: DecodedRows {
    package let layout: RowLayout
    /// Always nil: like viewers, assumes sRGB for animations.
    package var profile: [UInt8]? { nil }
    private let canvas: AnimationCanvas
    private var y = 0

    /// Draws all frames up to the given one, or up to the last if there are fewer.
    package init(
        _ frame: Int, of file: AnimationFile, in scratch: ScratchSpace,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        var playback = try Playback(
            of: file, in: scratch, frames: max(0, frame) + 1, isCancelled: isCancelled)
        while try playback.next() != nil {}
        canvas = playback.canvas
        layout = RowLayout(width: canvas.width, height: canvas.height, bands: 4)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(row.count == layout.rowBytes, "a row of another size")
        guard y < layout.height else {
            throw DecodingFault(.truncated, at: 0, "the picture has no more rows")
        }
        let pixels = try canvas.pixels() + y * canvas.width
        for x in 0..<canvas.width {
            row.storeBytes(
                of: pixels[x].littleEndian, toByteOffset: x * AnimationCanvas.pixelBytes,
                as: UInt32.self)
        }
        y += 1
    }
}
