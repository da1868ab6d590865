import AttachmentContainer
package import AttachmentIntake
package import AttachmentPlanning

/// What is asked of a renderer for one attachment.
package struct RenderRequest: Sendable {
    /// The attachment.
    let file: AttachmentFile
    /// Where renditions are written.
    let outputs: OutputSource
    /// When the answer must be there; nil for any time.
    package var deadline: ContinuousClock.Instant?
    /// Only rungs of the ladder below this one are tried; nil for all.
    package var below: Plan.Rung?
    /// The rung of the renditions that there are already; nil when there are none.
    package var known: Plan.Rung?
    /// Whether the attachment is a frame of a movie.
    package var isPoster = false

    /// Asks for the renditions of an attachment.
    ///
    /// - Parameters:
    ///   - file: The attachment.
    ///   - outputs: Where renditions are written.
    package init(_ file: AttachmentFile, to outputs: OutputSource) {
        self.file = file
        self.outputs = outputs
    }
}

/// Renditions, and the files that they are in.
struct Rendered: Sendable {
    /// The facts for the manifest.
    let attachment: RenderedAttachment
    /// The files, by number.
    let outputs: [OwnedDescriptor]
}
