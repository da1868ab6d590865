import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension AttachmentProcessor {
    /// Publishes sound or a movie as it is: checked, copied and named, never decoded.
    ///
    /// In memory it takes two buffers of 64 KiB (``MemoryDemand/passThrough``), which the reserve covers.
    ///
    /// - Parameters:
    ///   - file: The attachment.
    ///   - header: What the probe learnt of it.
    ///   - request: Whose notification it is.
    ///   - cancellation: When to stop.
    ///   - memory: Asked for what it took.
    /// - Returns: The published notification.
    /// - Throws: `AttachmentError`.
    func passThrough(
        _ file: AttachmentFile, _ header: MediaHeader, for request: AttachmentRequest,
        _ cancellation: Cancellation, memory: () -> MemoryUse
    ) throws(AttachmentError) -> ProcessedAttachment {
        try admit(header, file: file.path)
        let digest = try file.digest()
        if let known = try recall(digest, unlessWorseThan: nil, for: request, memory: memory) {
            return known
        }
        guard !cancellation.isRequested else {
            throw AttachmentError(.cancelled, file: request.path, reason: "it was withdrawn")
        }
        do throws(ContainerError) {
            var publication = Publication(in: container)
            let copy = try IncomingFile(
                copying: file.descriptor, bytes: header.fileBytes, in: container)
            let rendition = try publication.add(
                copy, media: header.type, size: header.size, duration: header.duration)
            if rendition.sha256 == digest {
                let memory = memory()
                let manifest = Manifest(
                    identifier: request.identifier, category: request.category,
                    source: Manifest.Source(header, digest), settings: settings.fingerprint,
                    renditions: [rendition],
                    contentSizeRatio: Manifest.credibleRatio(of: header.size),
                    placeholder: ThumbHash(uniform: DisplayContent.neutralColour),
                    averageColour: DisplayContent.neutralColour, rung: Self.passedThrough,
                    predictedPeak: memory.predictedPeak, measuredPeak: memory.measuredPeak,
                    notes: header.notes)
                try publication.commit(manifest)
                return ProcessedAttachment(manifest: manifest, work: .made, memory: memory)
            }
        } catch {
            throw .storing(error, of: request.path)
        }
        throw AttachmentError(
            .unreadable, file: request.path, reason: "it was changed while it was read")
    }

    /// What stands in the manifest in place of a rung: there is no ladder for what is not decoded.
    private static let passedThrough = "passed-through"

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

extension Manifest.Source {
    /// The facts of the attachment that a manifest keeps.
    fileprivate init(_ header: MediaHeader, _ digest: ContentDigest) {
        self.init(
            format: header.format.rawValue, coding: header.coding ?? "unknown",
            size: header.size ?? .zero, bytes: header.fileBytes, sha256: digest, frames: nil,
            framesUsed: 0)
    }
}
