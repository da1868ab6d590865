import AttachmentContainer
import AttachmentModel

extension AttachmentRenderer {
    /// The digest of a longer movie, which its still needs, would take more than a second.
    private static let longestStillSource = ByteCount.megabytes(400)

    /// Passes sound or a movie through: checked and named, never decoded.
    ///
    /// A movie that cannot be attached has no rendition, but the reason; its still can be shown.
    func passThrough(
        _ header: MediaHeader, _ request: RenderRequest
    ) throws(AttachmentError) -> RenderedAttachment {
        let file = request.file
        guard !file.isEncrypted, !request.outputs.isSealed else {
            throw AttachmentError(
                .unsupported, file: file.path,
                reason:
                    "an encrypted or sealed \(header.type.kind.rawValue) is not stored in the clear",
                remedy: "send a picture, such as a frame of the movie")
        }
        guard !header.endsEarly || settings.toleratesTruncation else {
            throw AttachmentError(
                .truncated, file: file.path,
                reason: "the file ends before the \(header.type.kind.rawValue) does")
        }
        let refusal = refusal(of: header, file: file.path)
        if let refusal,
            header.type.kind == .sound || header.fileBytes > Self.longestStillSource
        {
            throw refusal
        }
        let rendition = RenderedAttachment.Rendition(
            .media, type: header.type.rawValue, size: header.size ?? .zero,
            duration: header.duration, output: nil)
        return RenderedAttachment(
            source: RenderedAttachment.Source(
                format: header.format.rawValue, coding: header.coding ?? "unknown",
                size: header.size ?? .zero, frames: nil, framesUsed: 0),
            renditions: refusal == nil ? [rendition] : [],
            placeholder: ThumbHash(uniform: DisplayContent.neutralColour),
            averageColour: DisplayContent.neutralColour, rung: RenderedAttachment.passedThrough,
            notes: refusal.map { ["a still: the movie is not attached: \($0.reason)"] }
                ?? header.notes,
            thumbnailTime: header.thumbnailTime, refusal: refusal)
    }

    private func refusal(of header: MediaHeader, file: String) -> AttachmentError? {
        let kind = header.type.kind
        let limit = settings.media.limit(for: kind)
        if let obstacle = header.obstacle {
            return AttachmentError(.unsupported, file: file, reason: obstacle)
        }
        guard header.fileBytes > limit else { return nil }
        return AttachmentError(
            .mediaTooLarge, file: file,
            reason: "the \(kind.rawValue) has \(header.fileBytes), more than the \(limit) that "
                + "may be attached")
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
