import AttachmentContainer
import AttachmentPlanning

extension AttachmentProcessor {
    /// Looks for what the container holds already of the same bytes and settings.
    ///
    /// - Parameters:
    ///   - digest: The digest of the attachment.
    ///   - request: Whose notification it is.
    /// - Returns: The notification as it stands, or one made of another's renditions; nil when
    ///   there is work to do.
    /// - Throws: `AttachmentError` with code `storage`.
    func recall(
        _ digest: ContentDigest, for request: Request
    ) throws(AttachmentError) -> ProcessedAttachment? {
        let fingerprint = settings.fingerprint
        guard let known = container.result(source: digest, settings: fingerprint) else {
            return nil
        }
        // A manifest that cannot be read is replaced like one that is not there.
        let own = try? container.manifest(for: request.identifier)
        if let own, own.source.sha256 == digest, own.settings == fingerprint,
            own.category == request.category
        {
            return ProcessedAttachment(manifest: own, work: .unchanged)
        }
        let manifest = known.readdressed(to: request.identifier, category: request.category)
        try storing(request.path) { () throws(ContainerError) in
            try Publication(in: container).commit(manifest)
        }
        return ProcessedAttachment(manifest: manifest, work: .reused)
    }

    /// Publishes the renditions and the manifest: the content extension sees all or nothing.
    ///
    /// - Parameters:
    ///   - renditions: The encoded renditions and the small picture.
    ///   - plan: The plan they were made by.
    ///   - digest: The digest of the attachment.
    ///   - request: Whose notification it is.
    /// - Returns: The published notification.
    /// - Throws: `AttachmentError`.
    func publish(
        _ renditions: consuming Renditions, _ plan: Plan, _ digest: ContentDigest,
        for request: Request
    ) throws(AttachmentError) -> ProcessedAttachment {
        let expandedHeader = renditions.expanded.header
        let notes = plan.header.frameNote + renditions.expanded.notes
        let placeholder = renditions.placeholder
        do throws(ContainerError) {
            var publication = Publication(in: container)
            let expanded = try publication.add(renditions.expanded, as: .expanded)
            let banner = try publication.add(renditions.banner, as: .banner)
            let manifest = Manifest(
                identifier: request.identifier, category: request.category,
                source: Manifest.Source(plan.header, digest), settings: settings.fingerprint,
                renditions: [expanded, banner],
                contentSizeRatio: expandedHeader.storedSize.heightToWidthRatio,
                placeholder: placeholder.hash, averageColour: placeholder.averageColour,
                rung: plan.rung.rawValue, notes: notes)
            try publication.commit(manifest)
            return ProcessedAttachment(manifest: manifest, work: .made)
        } catch {
            throw .storing(error, of: request.path)
        }
    }
}

extension Publication {
    fileprivate mutating func add(
        _ rendition: consuming EncodedRendition, as role: RenditionRole
    ) throws(ContainerError) -> Manifest.Rendition {
        let (type, size) = (rendition.type, rendition.header.storedSize)
        return try add(rendition.takeFile(), as: role, type: type, size: size)
    }
}

extension Manifest.Source {
    /// The facts of the attachment that a manifest keeps.
    fileprivate init(_ header: AttachmentHeader, _ digest: ContentDigest) {
        self.init(
            format: header.format.rawValue, coding: header.coding.rawValue,
            size: header.storedSize, orientation: header.orientation.rawValue,
            bytes: header.fileBytes, sha256: digest, frames: header.frameCount, framesUsed: 1)
    }
}

extension AttachmentHeader {
    /// Says so when only the first of several frames is shown.
    fileprivate var frameNote: [String] {
        guard isAnimated else { return [] }
        return [frameCount.map { "first frame of \($0)" } ?? "first frame of several"]
    }
}
