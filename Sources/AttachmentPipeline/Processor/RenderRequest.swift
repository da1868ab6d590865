import AttachmentContainer
package import AttachmentModel

package struct RenderRequest: Sendable {
    let file: AttachmentFile
    let outputs: OutputSource
    package var deadline: ContinuousClock.Instant?
    package var below: Rung?
    package var known: Rung?
    /// True if the attachment is a frame of a movie.
    package var isPoster = false

    package init(_ file: AttachmentFile, to outputs: OutputSource) {
        self.file = file
        self.outputs = outputs
    }
}
