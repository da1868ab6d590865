import AttachmentAnimation
import AttachmentContainer

/// What was made of an animation before its stills.
struct EncodedAnimation {
    /// The number of the frame that the stills show, from 0.
    let stillFrame: Int
    /// What was given up and why, for the manifest.
    let notes: [String]
    /// The GIF; nil when only the stills are published.
    var moving: Moving?

    /// Describes what was made.
    ///
    /// - Parameters:
    ///   - frame: The number of the frame that the stills show, from 0.
    ///   - notes: What was given up and why.
    ///   - moving: The GIF. The default is none.
    init(still frame: Int, notes: [String], moving: Moving? = nil) {
        stillFrame = frame
        self.notes = notes
        self.moving = moving
    }

    /// A GIF that is not yet published.
    struct Moving {
        /// The file with the bytes; nil for the attachment as it was.
        let output: RenditionOutput?
        /// The size of its canvas, in pixels.
        let size: PixelSize
        /// How many frames it has.
        let frames: Int
        /// How long it plays once, in seconds.
        let seconds: Double
        /// How often it is played; 0 for without end.
        let loopCount: Int

        /// Describes a GIF that was made.
        ///
        /// - Parameters:
        ///   - output: The file with the bytes.
        ///   - summary: What came out.
        init(_ output: RenditionOutput, _ summary: AnimationSummary) {
            self.output = output
            size = PixelSize(width: summary.width, height: summary.height)
            frames = summary.frames
            seconds = Double(summary.milliseconds) / 1000
            loopCount = summary.plays ?? 0
        }

        /// Describes a GIF that stays as it was.
        ///
        /// - Parameter outline: What its headers say.
        init(keeping outline: AnimationOutline) {
            output = nil
            size = PixelSize(width: outline.width, height: outline.height)
            frames = outline.delays.count
            seconds = Double(outline.milliseconds) / 1000
            loopCount = outline.plays ?? 0
        }
    }
}
