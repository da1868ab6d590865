public import AttachmentContainer
public import AttachmentModel
internal import Foundation

/// Publishes renditions made by this process or a worker, and reuses earlier ones.
public struct AttachmentPublisher: Sendable {
    let container: SharedContainer
    let settings: ProcessingSettings
    /// Fingerprint of the settings with their own presets.
    private let fingerprint: String

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - container: Receives renditions and manifests.
    ///   - settings: The settings of all renditions; requests may have presets of their own.
    public init(to container: SharedContainer, _ settings: ProcessingSettings) {
        self.container = container
        self.settings = settings
        fingerprint = settings.fingerprint
    }

    /// The fingerprint of the settings with the presets of a request.
    private func fingerprint(for request: AttachmentRequest) -> String {
        guard let presets = request.presets, presets != settings.presets else {
            return fingerprint
        }
        var settings = settings
        settings.presets = presets
        return settings.fingerprint
    }

    /// Opens the file of a request for other processes, which make its renditions.
    ///
    /// - Parameter request: The request.
    /// - Returns: The file, in the clear.
    /// - Throws: `AttachmentError` with the code `unsupported` for an encrypted attachment, and if the
    ///   container seals pictures: other processes would write the renditions in the clear.
    public func openFileToShare(
        of request: AttachmentRequest
    ) throws(AttachmentError) -> AttachmentFile {
        guard !container.sealsPictures else {
            throw AttachmentError(
                .unsupported, file: request.path,
                reason: "its renditions are to be sealed, and workers write them in the clear",
                remedy: "process it with AttachmentProcessor, in the process that has the key")
        }
        return try request.openFileToShare()
    }

    /// The outcome of the search for earlier renditions.
    public enum Recall: Sendable {
        /// The container already held the best possible renditions, which are now published.
        case published(ProcessedAttachment)
        /// Renditions must be made.
        case work(Known)
    }

    /// Facts about an attachment whose renditions must be made.
    public struct Known: Sendable {
        /// The digest of the attachment; nil if it was not computed.
        public fileprivate(set) var digest: ContentDigest?
        /// Presets of the renditions that are to be made.
        public fileprivate(set) var presets: PresetSelection
        fileprivate var manifest: Manifest?

        package var rung: Rung? { manifest.flatMap { Rung(rawValue: $0.rung) } }
    }

    /// Searches for renditions of the same bytes and settings, and publishes final ones.
    ///
    /// - Parameters:
    ///   - file: The attachment.
    ///   - request: Identifier, category and presets.
    ///   - memory: The memory to report; called only if renditions are published.
    /// - Returns: The published renditions, or what is known for the work on new ones.
    /// - Throws: `AttachmentError` if the attachment cannot be read or the container not be written to.
    public func recall(
        _ file: AttachmentFile, for request: AttachmentRequest, memory: () -> MemoryUse
    ) throws(AttachmentError) -> Recall {
        // A movie's frame is not a notification of its own. A file above its limit is rejected
        // later, without computing a digest.
        let presets = request.presets ?? settings.presets
        // Two keys may make two pictures of one ciphertext. Sealed pictures have no results.
        guard request.posterOf == nil, !file.isEncrypted, !container.sealsPictures,
            file.length <= settings.longest(of: file)
        else {
            return .work(Known(presets: presets))
        }
        let digest = try file.digest()
        let known = Known(
            digest: digest, presets: presets,
            manifest: container.result(source: digest, settings: fingerprint(for: request)))
        guard known.manifest?.isFinal == true else { return .work(known) }
        return .published(try publish(known, memory(), for: request))
    }

    /// Publishes earlier renditions, which no further work can improve.
    private func publish(
        _ known: Known, _ memory: MemoryUse, for request: AttachmentRequest
    ) throws(AttachmentError) -> ProcessedAttachment {
        guard let manifest = known.manifest else {
            throw AttachmentError(.storage, file: request.path, reason: "no earlier result found")
        }
        let (identifier, category) = address(of: request, source: manifest.source.sha256)
        if let own = published(under: identifier, known: manifest),
            own.source.sha256 == manifest.source.sha256, own.settings == fingerprint(for: request),
            own.category == category, own.isFinal || own.rung == manifest.rung,
            // Fails if the manifest was just pruned; it is then published again.
            (try? container.renew(own)) == true
        {
            return ProcessedAttachment(manifest: own, work: .unchanged, memory: memory)
        }
        let readdressed = manifest.readdressed(to: identifier, category: category)
        do throws(ContainerError) {
            try Publication(in: container).commit(readdressed)
        } catch {
            throw .storing(error, of: request.path)
        }
        return ProcessedAttachment(manifest: readdressed, work: .reused, memory: memory)
    }
}

extension AttachmentPublisher {
    private func address(
        of request: AttachmentRequest, source: ContentDigest
    ) -> (identifier: String, category: String?) {
        switch request.naming {
        case .notification: (request.identifier, request.category)
        case .picture:
            (Manifest.identifier(ofSource: source, settings: fingerprint(for: request)), nil)
        }
    }

    /// The manifest published under an identifier; an unreadable one is like a missing one.
    private func published(under identifier: String, known: Manifest) -> Manifest? {
        if known.identifier == identifier, (try? container.isPublished(result: known)) == true {
            return known
        }
        return try? container.manifest(for: identifier)
    }

    /// Publishes new renditions, or earlier ones that the maker could not improve.
    package func publish(
        _ sealed: SealedAttachment, for request: AttachmentRequest
    ) throws(AttachmentError) -> ProcessedAttachment {
        switch sealed.content {
        case .earlier(let known): return try publish(known, sealed.memory, for: request)
        case .new(let rendered, let source, let renditions):
            return try publish(rendered, of: source, renditions, sealed.memory, for: request)
        }
    }

    /// A movie that cannot be attached, with its error: nothing is published but stills of it.
    package func unattachable(
        _ sealed: SealedAttachment, for request: AttachmentRequest
    ) -> (manifest: Manifest, refusal: AttachmentError)? {
        guard case .new(let rendered, let source, _) = sealed.content,
            let refusal = rendered.refusal
        else { return nil }
        let (identifier, category) = address(of: request, source: source.sha256)
        let manifest = Manifest(
            identifier: identifier, category: category, source: source,
            settings: fingerprint(for: request), renditions: [],
            contentSizeRatio: Manifest.credibleRatio(of: nil),
            placeholder: rendered.placeholder, averageColour: rendered.averageColour,
            rung: rendered.rung, engine: nil, predictedPeak: nil, measuredPeak: nil,
            notes: rendered.notes, thumbnailTime: rendered.thumbnailTime)
        return (manifest, refusal)
    }

    /// Publishes renditions and the manifest atomically for the content extension.
    private func publish(
        _ rendered: RenderedAttachment, of source: Manifest.Source, _ sealed: [SealedRendition],
        _ memory: MemoryUse, for request: AttachmentRequest
    ) throws(AttachmentError) -> ProcessedAttachment {
        let movie = request.posterOf
        var publication = Publication(in: container)
        var renditions = movie?.renditions.filter { $0.role == .media } ?? []
        for rendition in sealed {
            let stored: Manifest.Rendition?
            do throws(ContainerError) {
                stored = try rendition.store(in: &publication)
            } catch {
                throw .storing(error, of: request.path)
            }
            guard let stored, !rendition.isOriginalFile || stored.sha256 == source.sha256 else {
                throw .changed(request.path)
            }
            renditions.append(stored)
        }
        // Nil also for a movie that is not attached, whose stills are published like pictures.
        let attached = movie?.rendition(.media) == nil ? nil : movie
        let size = rendered.renditions.first { [.expanded, .media].contains($0.role) }?.size
        let source = movie?.source ?? source
        let (identifier, category) = address(of: request, source: source.sha256)
        let manifest = Manifest(
            identifier: identifier, category: category, source: source,
            settings: fingerprint(for: request),
            renditions: renditions,
            contentSizeRatio: Manifest.credibleRatio(of: size), placeholder: rendered.placeholder,
            averageColour: rendered.averageColour, rung: attached?.rung ?? rendered.rung,
            engine: rendered.engine?.rawValue,
            predictedPeak: memory.predictedPeak, measuredPeak: memory.measuredPeak,
            notes: (movie?.notes.filter { !PosterNote.matches($0) } ?? []) + rendered.notes,
            thumbnailTime: attached?.thumbnailTime ?? rendered.thumbnailTime)
        do throws(ContainerError) {
            try publication.commit(manifest)
        } catch {
            throw .storing(error, of: request.path)
        }
        return ProcessedAttachment(manifest: manifest, work: .made, memory: memory)
    }
}

extension ProcessingSettings {
    /// The longest file of the same kind that may have a result; the first bytes of most sounds and
    /// movies tell their kind.
    fileprivate func longest(of file: AttachmentFile) -> ByteCount {
        let reader = BoundedReader(file.openFile)
        // A file that cannot be read fails when its digest is computed.
        let start = (try? reader.prefix(16)) ?? []
        if Self.movies.contains(where: { $0.matches(start) }) { return media.movie }
        if Self.sounds.contains(where: { $0.matches(start) }) { return media.sound }
        return max(maximumSourceBytes, media.sound, media.movie)
    }

    private static let movies: [BytePattern] = [
        "RIFF????AVI ", "????moov", "\0\0\0\u{8}wide", "\0???mdat", "\0\0\u{1}\u{BA}",
        "\0\0\u{1}\u{B3}",
    ]
    private static let sounds: [BytePattern] = [
        "RIFF????WAVE", "FORM????AIFF", "FORM????AIFC", "ID3",
    ]
}

extension Manifest {
    /// True if more memory could not improve the renditions.
    fileprivate var isFinal: Bool {
        guard let rung = Rung(rawValue: rung) else {
            return rung == RenderedAttachment.passedThrough
        }
        // A full-size still of an animation is not final: an animated rendition is better, where one is
        // to be shown.
        let isMovie = MediaHeader.Format(rawValue: source.format) != nil
        let canMove = source.frames != 1 && !isMovie && rendition(.expanded) != nil
        return rung == .animated || (rung.isFullSize && !canMove)
    }
}
