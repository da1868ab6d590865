import AttachmentContainer
import AttachmentModel

extension AttachmentRenderer {
    /// Passes sound or a movie through: checked and named, never decoded.
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
            notes: header.notes, thumbnailTime: header.thumbnailTime)
    }

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
    /// A tenth into a movie, since movies often begin in black; nil for sound, or if the duration is
    /// unknown.
    fileprivate var thumbnailTime: Double? { type.kind == .movie ? duration.map { $0 / 10 } : nil }

    fileprivate var notes: [String] {
        var notes: [String] = []
        if format == .quickTime {
            notes.append("QuickTime, published as MPEG-4, with the same codings")
        }
        if endsEarly { notes.append("the file ends early") }
        if type.kind == .movie { notes.append(PosterNote.missing("none was taken")) }
        return notes
    }
}
