import AttachmentContainer
package import AttachmentModel

package struct RenderRequest: Sendable {
    let file: AttachmentFile
    let outputs: OutputSource
    package var deadline: ContinuousClock.Instant?
    /// Limits the ladder to the rungs below this one; nil for all.
    package var below: Rung?
    /// The rung of existing renditions; nil if there are none.
    package var known: Rung?
    /// True if the attachment is a frame of a movie.
    package var isPoster = false

    package init(_ file: AttachmentFile, to outputs: OutputSource) {
        self.file = file
        self.outputs = outputs
    }
}

struct Rendered: Sendable {
    let attachment: RenderedAttachment
    /// Files by output number.
    let outputs: [OwnedDescriptor]
}
