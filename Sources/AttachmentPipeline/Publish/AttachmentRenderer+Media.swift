import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension AttachmentRenderer {
    /// Has sound or a movie published as it is: checked and named, never decoded.
    ///
    /// - Parameters:
    ///   - header: What the probe learnt of it.
    ///   - file: The attachment.
    /// - Returns: The facts for the manifest.
    /// - Throws: `AttachmentError`.
    func passThrough(
        _ header: MediaHeader, _ file: AttachmentFile
    ) throws(AttachmentError) -> RenderedAttachment {
        try admit(header, file: file.path)
        let rendition = RenderedAttachment.Rendition(
            .media, type: header.type.rawValue, size: header.size ?? .zero,
            duration: header.duration, output: nil)
        return RenderedAttachment(
            source: RenderedAttachment.Source(
                format: header.format.rawValue, coding: header.coding ?? "unknown",
                size: header.size ?? .zero, frames: nil, framesUsed: 0),
            renditions: [rendition],
            placeholder: ThumbHash(uniform: DisplayContent.neutralColour),
            averageColour: DisplayContent.neutralColour, rung: RenderedAttachment.passedThrough,
            notes: header.notes)
    }

    /// Refuses what the system would not attach, before more than the header is read.
    private func admit(_ header: MediaHeader, file: String) throws(AttachmentError) {
        let kind = header.type.kind
        let limit = settings.media.limit(for: kind)
        guard header.fileBytes <= limit else {
            throw AttachmentError(
                .mediaTooLarge, file: file,
                reason: "the \(kind.rawValue) has \(header.fileBytes), more than the \(limit) that "
                    + "may be attached")
        }
        guard !header.endsEarly || settings.toleratesTruncation else {
            throw AttachmentError(
                .truncated, file: file, reason: "the file ends before the \(kind.rawValue) does")
        }
    }
}

extension MediaHeader {
    /// What a person should know of a file that is passed through.
    fileprivate var notes: [String] {
        var notes: [String] = []
        if format == .quickTime {
            notes.append("QuickTime, published as MPEG-4, whose codings it has")
        }
        if endsEarly { notes.append("the file ends early") }
        if type.kind == .movie { notes.append(PosterNote.missing("none was taken")) }
        return notes
    }
}
