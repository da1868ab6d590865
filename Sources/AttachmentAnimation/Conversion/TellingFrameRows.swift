package import AttachmentDecoding

/// The picture that an animation shows at one of its frames, row by row: for the still and the banner.
package final class TellingFrameRows: DecodedRows {
    package let layout: RowLayout
    /// None: animations are taken to be of sRGB, as viewers do.
    package var profile: [UInt8]? { nil }
    private let canvas: AnimationCanvas
    private var y = 0

    /// Draws all frames up to one.
    ///
    /// - Parameters:
    ///   - frame: The number of the frame, from 0; the last one is taken when there are fewer.
    ///   - file: The animation.
    ///   - scratch: Where the canvas lies when it takes more than 64 KiB.
    ///   - isCancelled: Is asked before each frame.
    /// - Throws: `AnimationFault` with code `undecodable` or `cancelled`.
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
