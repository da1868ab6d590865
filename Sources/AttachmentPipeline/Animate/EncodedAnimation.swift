import AttachmentContainer

struct EncodedAnimation {
    let stillFrame: Int
    let notes: [String]
    /// The GIF; nil if only stills are published.
    var gif: GIF?

    struct GIF {
        /// The file; nil for the unchanged attachment.
        let output: RenditionOutput?
        let size: PixelSize
        let frames: Int
        let seconds: Double
        /// Number of passes; 0 for an infinite loop.
        let loopCount: Int

        init(_ output: RenditionOutput, _ summary: AnimationSummary) {
            self.output = output
            size = PixelSize(width: summary.width, height: summary.height)
            frames = summary.frames
            seconds = Double(summary.milliseconds) / 1000
            loopCount = summary.plays ?? 0
        }

        init(keeping outline: AnimationOutline) {
            output = nil
            size = PixelSize(width: outline.width, height: outline.height)
            frames = outline.delays.count
            seconds = Double(outline.milliseconds) / 1000
            loopCount = outline.plays ?? 0
        }
    }
}
