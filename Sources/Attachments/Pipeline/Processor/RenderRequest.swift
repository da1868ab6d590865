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
    /// Threads for the attachment, 1 or 2; a second one is used only where it saves time and its memory
    /// is free.
    package var threads = 1

    package init(
        _ file: AttachmentFile, to outputs: OutputSource,
        by deadline: ContinuousClock.Instant? = nil
    ) {
        self.file = file
        self.outputs = outputs
        self.deadline = deadline
    }
}
