import AttachmentContainer
package import AttachmentModel

package struct RenderRequest: Sendable {
    let file: AttachmentFile
    let outputs: OutputSource
    package var deadline: ContinuousClock.Instant?
    package var below: Rung?
    package var known: Rung?
    /// Presets of the renditions; nil for the presets of the renderer's settings.
    package var presets: PresetSelection?
    /// True if the attachment is a frame of a movie.
    package var isPoster = false
    /// True if a thread may decode the next rows of a JPEG while others are resampled.
    package var mayReadAhead = false

    package init(
        _ file: AttachmentFile, to outputs: OutputSource,
        by deadline: ContinuousClock.Instant? = nil
    ) {
        self.file = file
        self.outputs = outputs
        self.deadline = deadline
    }
}
