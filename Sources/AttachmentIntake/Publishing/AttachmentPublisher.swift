package import AttachmentContainer
package import AttachmentPlanning
internal import Foundation

/// Publishes renditions, and what is known of earlier ones, for whoever made them: this process or a
/// worker.
package struct AttachmentPublisher: Sendable {
    private let container: SharedContainer
    private let settings: ProcessingSettings
    private let fingerprint: String

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - container: Where the notifications go.
    ///   - settings: What is asked of the renditions.
    package init(to container: SharedContainer, _ settings: ProcessingSettings) {
        self.container = container
        self.settings = settings
        fingerprint = settings.fingerprint
    }

    /// What is known of an attachment before any work.
    package enum Recall: Sendable {
        /// The best that the settings allow was in the container, and is published.
        case published(ProcessedAttachment)
        /// There is work to do.
        case work(Known)
    }

    /// What is known of an attachment that is worked on.
    package struct Known: Sendable {
        /// The digest of the attachment; nil when it was not worth computing yet.
        fileprivate var digest: ContentDigest?
        /// What the container holds of the same bytes and settings; nil for nothing.
        fileprivate var manifest: Manifest?

        /// The rung of the renditions that the container holds; nil when there are none.
        package var rung: Plan.Rung? { manifest.flatMap { Plan.Rung(rawValue: $0.rung) } }
    }

    /// Looks for what the container holds already of the same bytes and settings.
    ///
    /// - Parameters:
    ///   - file: The attachment.
    ///   - request: Whose notification it is.
    ///   - memory: Asked for what it took.
    /// - Returns: The notification, where nothing better can be made; else what is known.
    /// - Throws: `AttachmentError` when the file cannot be read, or with code `storage`.
    package func recall(
        _ file: AttachmentFile, for request: AttachmentRequest, memory: () -> MemoryUse
    ) throws(AttachmentError) -> Recall {
        // A frame of a movie is no notification of its own, and a file over its ceiling is refused by
        // the maker of renditions, which need not wait for a digest.
        guard request.posterOf == nil, isUnderCeiling(file) else { return .work(Known()) }
        let digest = try file.digest()
        let known = Known(
            digest: digest, manifest: container.result(source: digest, settings: fingerprint))
        guard known.manifest?.isFinal == true else { return .work(known) }
        return .published(try publish(known, memory(), for: request))
    }

    /// Whether a file is short enough for its kind, by its first bytes.
    private func isUnderCeiling(_ file: AttachmentFile) -> Bool {
        let reader = BoundedReader(descriptor: file.descriptor, length: file.length.bytes)
        do {
            return file.length <= settings.ceiling(of: try Signature(reader))
        } catch {
            return false
        }
    }

    /// Publishes renditions that the container holds already for another notification.
    ///
    /// - Parameters:
    ///   - known: What is known of the attachment; it has a rung.
    ///   - memory: What it took to find out that it cannot be bettered.
    ///   - request: Whose notification it is.
    /// - Returns: The notification as it stands, or one made of another's renditions.
    /// - Throws: `AttachmentError` with code `storage`.
    private func publish(
        _ known: Known, _ memory: MemoryUse, for request: AttachmentRequest
    ) throws(AttachmentError) -> ProcessedAttachment {
        guard let manifest = known.manifest else {
            throw AttachmentError(.storage, file: request.path, reason: "it is not known")
        }
        // A manifest that cannot be read is replaced like one that is not there.
        if let own = try? container.manifest(for: request.identifier),
            own.source.sha256 == manifest.source.sha256, own.settings == fingerprint,
            own.category == request.category, own.isFinal || own.rung == manifest.rung,
            // One that was pruned just now is published again.
            (try? container.renew(own)) == true
        {
            return ProcessedAttachment(manifest: own, work: .unchanged, memory: memory)
        }
        let readdressed = manifest.readdressed(to: request.identifier, category: request.category)
        do throws(ContainerError) {
            try Publication(in: container).commit(readdressed)
        } catch {
            throw .storing(error, of: request.path)
        }
        return ProcessedAttachment(manifest: readdressed, work: .reused, memory: memory)
    }
}

extension AttachmentPublisher {
    /// Why renditions are not published.
    package enum Refusal: Error {
        /// What was said of them is not what they are: nobody makes such by accident.
        case implausible
        /// The attachment or the container is at fault.
        case failed(AttachmentError)

        /// The error of an attachment whose renditions nobody else made.
        ///
        /// - Parameter file: The attachment's path.
        /// - Returns: The error.
        package func error(of file: String) -> AttachmentError {
            switch self {
            case .implausible:
                AttachmentError(
                    .crashed, file: file, reason: "its renditions are not what they were to be")
            case .failed(let error): error
            }
        }
    }

    /// Publishes renditions, or those that are known where they cannot be bettered.
    ///
    /// - Parameters:
    ///   - rendering: The renditions, and the facts for the manifest.
    ///   - outputs: The files that the renditions are in.
    ///   - file: The attachment.
    ///   - known: What was known of it.
    ///   - request: Whose notification it is.
    /// - Returns: The published notification.
    /// - Throws: `Refusal`.
    package func publish(
        _ rendering: Rendering, from outputs: [OwnedDescriptor], of file: AttachmentFile,
        _ known: Known, for request: AttachmentRequest
    ) throws(Refusal) -> ProcessedAttachment {
        if let attachment = rendering.attachment {
            return try publish(
                attachment, from: outputs, of: file, known, rendering.memory, for: request)
        }
        guard known.rung != nil else { throw .implausible }
        do throws(AttachmentError) {
            return try publish(known, rendering.memory, for: request)
        } catch {
            throw .failed(error)
        }
    }

    /// Publishes renditions and the manifest: the content extension sees all or nothing.
    ///
    /// Nothing that the maker of the renditions has open leads to what is published: their bytes are
    /// copied, and those of an attachment that stays as it was come from the file itself.
    ///
    /// - Parameters:
    ///   - rendered: The renditions, and the facts for the manifest.
    ///   - outputs: The files that the renditions are in.
    ///   - file: The attachment.
    ///   - known: What was known of it.
    ///   - memory: What it took.
    ///   - request: Whose notification it is.
    /// - Returns: The published notification.
    /// - Throws: `Refusal`.
    private func publish(
        _ rendered: RenderedAttachment, from outputs: [OwnedDescriptor], of file: AttachmentFile,
        _ known: Known, _ memory: MemoryUse, for request: AttachmentRequest
    ) throws(Refusal) -> ProcessedAttachment {
        guard rendered.isPlausible(outputs: outputs.count) else { throw .implausible }
        let movie = request.posterOf
        let source: Manifest.Source
        do throws(AttachmentError) {
            let digest = if let known = known.digest { known } else { try file.digest() }
            source = movie?.source ?? Manifest.Source(rendered.source, file.length, digest)
        } catch {
            throw .failed(error)
        }
        var publication = Publication(in: container)
        var renditions = movie?.renditions.filter { $0.role == .media } ?? []
        for rendition in rendered.renditions {
            let sealed = try seal(rendition, from: outputs, of: file, for: request)
            // Looked at only now that nobody can change it any more.
            let isAsSaid = RenditionHead.matches(sealed.descriptor, rendition)
            guard rendition.output == nil || isAsSaid else { throw .implausible }
            let stored: Manifest.Rendition
            do throws(ContainerError) {
                stored = try publication.add(sealed, rendition)
            } catch {
                throw .failed(.storing(error, of: request.path))
            }
            guard rendition.output != nil || stored.sha256 == source.sha256 else {
                throw .failed(
                    AttachmentError(
                        .unreadable, file: request.path, reason: "it was changed while it was read")
                )
            }
            guard isAsSaid else { throw .implausible }
            renditions.append(stored)
        }
        let size = rendered.renditions.first { [.expanded, .media].contains($0.role) }?.size
        let manifest = Manifest(
            identifier: request.identifier, category: request.category, source: source,
            settings: fingerprint, renditions: renditions,
            contentSizeRatio: Manifest.credibleRatio(of: size), placeholder: rendered.placeholder,
            averageColour: rendered.averageColour, rung: movie?.rung ?? rendered.rung,
            predictedPeak: memory.predictedPeak, measuredPeak: memory.measuredPeak,
            notes: (movie?.notes.filter { !PosterNote.isOne($0) } ?? []) + rendered.notes)
        do throws(ContainerError) {
            try publication.commit(manifest)
        } catch {
            throw .failed(.storing(error, of: request.path))
        }
        return ProcessedAttachment(manifest: manifest, work: .made, memory: memory)
    }

    /// Copies a rendition to a file of the container that nobody else has open.
    private func seal(
        _ rendition: RenderedAttachment.Rendition, from outputs: [OwnedDescriptor],
        of file: AttachmentFile, for request: AttachmentRequest
    ) throws(Refusal) -> IncomingFile {
        let descriptor = rendition.output.map { outputs[$0].descriptor } ?? file.descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .implausible }
        let length = rendition.output == nil ? file.length : ByteCount(Int(status.st_size))
        guard length <= settings.ceiling(of: rendition) else { throw .implausible }
        do throws(ContainerError) {
            return rendition.output == nil
                ? try IncomingFile(copying: descriptor, bytes: length, in: container)
                : try IncomingFile(sealing: descriptor, bytes: length, in: container)
        } catch {
            throw .failed(.storing(error, of: request.path))
        }
    }
}

extension ProcessingSettings {
    /// What the file of a rendition may take.
    fileprivate func ceiling(of rendition: RenderedAttachment.Rendition) -> ByteCount {
        MediaType(rawValue: rendition.type).map { media.limit(for: $0.kind) } ?? maximumBytes
    }

    /// The longest file of a kind that renditions are made of, or that is passed through.
    fileprivate func ceiling(of signature: Signature) -> ByteCount {
        switch signature {
        case .jpeg, .png, .webp, .gif, .tiff: maximumSourceBytes
        case .isobmff: max(maximumSourceBytes, media.limit(for: .movie))
        case .wav, .aiff, .mp3: media.limit(for: .sound)
        case .quickTime, .avi, .mpegProgram, .mpegVideo: media.limit(for: .movie)
        case .foreign: ByteCount(0)
        }
    }
}

extension Manifest.Source {
    fileprivate init(
        _ source: RenderedAttachment.Source, _ bytes: ByteCount, _ digest: ContentDigest
    ) {
        self.init(
            format: source.format, coding: source.coding, size: source.size,
            orientation: source.orientation, bytes: bytes, sha256: digest, frames: source.frames,
            framesUsed: source.framesUsed)
    }
}

extension Manifest {
    /// Whether no memory would give better renditions of the same attachment.
    fileprivate var isFinal: Bool {
        guard let rung = Plan.Rung(rawValue: rung) else {
            return rung == RenderedAttachment.passedThrough
        }
        // A still is not as good as what moves, whatever its size.
        return rung == .animated || (rung.isFullSize && source.frames == 1)
    }
}

extension Publication {
    /// Stores a rendition under the digest of its bytes.
    fileprivate mutating func add(
        _ file: consuming IncomingFile, _ rendition: RenderedAttachment.Rendition
    ) throws(ContainerError) -> Manifest.Rendition {
        if let type = MediaType(rawValue: rendition.type) {
            return try add(
                file, media: type, size: rendition.size == .zero ? nil : rendition.size,
                duration: rendition.duration)
        }
        let type = RenditionType(rawValue: rendition.type) ?? .jpeg
        if type == .gif {
            return try add(
                file, animationOf: rendition.size, frames: rendition.frames ?? 1,
                duration: rendition.duration ?? 0, loopCount: rendition.loopCount ?? 0)
        }
        return try add(
            file, as: rendition.role, type: type, size: rendition.size, crop: rendition.crop)
    }
}
