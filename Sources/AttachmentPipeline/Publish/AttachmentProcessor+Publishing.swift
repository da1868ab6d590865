import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension AttachmentProcessor {
    /// Looks for what the container holds already of the same bytes and settings.
    ///
    /// - Parameters:
    ///   - digest: The digest of the attachment.
    ///   - rung: The rung that is possible now; what was made on a lower one is not good enough. Nil
    ///     when none is possible: then anything is.
    ///   - request: Whose notification it is.
    ///   - memory: Asked for what it took.
    /// - Returns: The notification as it stands, or one made of another's renditions; nil when
    ///   there is work to do.
    /// - Throws: `AttachmentError` with code `storage`.
    func recall(
        _ digest: ContentDigest, unlessWorseThan rung: Plan.Rung?,
        for request: AttachmentRequest, memory: () -> MemoryUse
    ) throws(AttachmentError) -> ProcessedAttachment? {
        let fingerprint = settings.fingerprint
        // A frame of a movie is no notification of its own.
        guard request.posterOf == nil else { return nil }
        guard let known = container.result(source: digest, settings: fingerprint),
            rung.map({ known.isAsGood(as: $0) }) ?? true
        else { return nil }
        // A manifest that cannot be read is replaced like one that is not there.
        let own = try? container.manifest(for: request.identifier)
        if let own, own.source.sha256 == digest, own.settings == fingerprint,
            own.category == request.category, rung.map({ own.isAsGood(as: $0) }) ?? true,
            // One that was pruned just now is published again.
            (try? container.renew(own)) == true
        {
            return ProcessedAttachment(manifest: own, work: .unchanged, memory: memory())
        }
        let manifest = known.readdressed(to: request.identifier, category: request.category)
        try storing(request.path) { () throws(ContainerError) in
            try Publication(in: container).commit(manifest)
        }
        return ProcessedAttachment(manifest: manifest, work: .reused, memory: memory())
    }

    /// Publishes the renditions and the manifest: the content extension sees all or nothing.
    ///
    /// - Parameters:
    ///   - renditions: The encoded renditions and the small picture.
    ///   - plan: The plan they were made by.
    ///   - digest: The digest of the attachment.
    ///   - memory: What it took.
    ///   - request: Whose notification it is.
    /// - Returns: The published notification.
    /// - Throws: `AttachmentError`.
    func publish(
        _ renditions: consuming Renditions, _ plan: Plan, _ digest: ContentDigest,
        _ memory: MemoryUse, for request: AttachmentRequest
    ) throws(AttachmentError) -> ProcessedAttachment {
        let expandedHeader = renditions.expanded.header
        let notes =
            (renditions.animationNotes ?? plan.header.frameNote) + plan.rungNote
            + renditions.expanded.notes
        let placeholder = renditions.placeholder
        do throws(ContainerError) {
            var publication = Publication(in: container)
            let moving = try publication.add(renditions.moving.take())
            let expanded = try publication.add(renditions.expanded, as: .expanded)
            let banner = try publication.add(renditions.banner, as: .banner)
            let movie = request.posterOf
            let manifest = Manifest(
                identifier: request.identifier, category: request.category,
                source: movie?.source
                    ?? Manifest.Source(
                        plan.header, digest, framesUsed: moving.first?.frames ?? 1),
                settings: settings.fingerprint,
                renditions: (movie?.renditions.filter { $0.role == .media } ?? []) + moving
                    + [expanded, banner],
                contentSizeRatio: expandedHeader.storedSize.heightToWidthRatio,
                placeholder: placeholder.hash, averageColour: placeholder.averageColour,
                rung: movie?.rung ?? plan.rung.rawValue, predictedPeak: memory.predictedPeak,
                measuredPeak: memory.measuredPeak,
                notes: (movie?.notes.filter { !PosterNote.isOne($0) } ?? []) + notes)
            try publication.commit(manifest)
            return ProcessedAttachment(manifest: manifest, work: .made, memory: memory)
        } catch {
            throw .storing(error, of: request.path)
        }
    }
}

extension Manifest {
    /// Whether the renditions were made on a rung, or on one that gives as good ones.
    fileprivate func isAsGood(as rung: Plan.Rung) -> Bool {
        // A still is not as good as what moves, whatever its size.
        Plan.Rung(rawValue: self.rung).map {
            $0 <= rung || ($0.isFullSize && rung != .animated)
        } ?? false
    }
}

extension Publication {
    fileprivate mutating func add(
        _ rendition: consuming EncodedRendition, as role: RenditionRole
    ) throws(ContainerError) -> Manifest.Rendition {
        let (type, size, part) = (rendition.type, rendition.header.storedSize, rendition.part)
        return try add(rendition.takeFile(), as: role, type: type, size: size, crop: part)
    }
}

extension Publication {
    /// Stores what moves, if there is something.
    fileprivate mutating func add(
        _ moving: consuming EncodedAnimation.Moving?
    ) throws(ContainerError) -> [Manifest.Rendition] {
        guard let moving else { return [] }
        let (size, frames) = (moving.size, moving.frames)
        let (seconds, loopCount) = (moving.seconds, moving.loopCount)
        return [
            try add(
                moving.takeFile(), animationOf: size, frames: frames, duration: seconds,
                loopCount: loopCount)
        ]
    }
}

extension Manifest.Source {
    /// The facts of the attachment that a manifest keeps.
    fileprivate init(
        _ header: AttachmentHeader, _ digest: ContentDigest, framesUsed: Int
    ) {
        self.init(
            format: header.format.rawValue, coding: header.coding.rawValue,
            size: header.storedSize, orientation: header.orientation.rawValue,
            bytes: header.fileBytes, sha256: digest, frames: header.frameCount,
            framesUsed: framesUsed)
    }
}

extension Plan {
    /// Says what was given up for the cap.
    fileprivate var rungNote: [String] {
        switch rung {
        case .animated, .streamed, .bounded, .fileBacked, .wholePicture: []
        case .reduced: ["reduced to \(expandedSize) for the memory cap"]
        case .preview: ["the embedded preview, for the memory cap"]
        }
    }
}

extension AttachmentHeader {
    /// Says so when only the first of several frames is shown.
    fileprivate var frameNote: [String] {
        guard isAnimated else { return [] }
        return [frameCount.map { "first frame of \($0)" } ?? "first frame of several"]
    }
}
