package import AttachmentContainer
package import AttachmentModel
internal import Foundation

/// Publishes renditions made by this process or a worker, and reuses earlier ones.
package struct AttachmentPublisher: Sendable {
    private let container: SharedContainer
    private let settings: ProcessingSettings
    private let fingerprint: String

    package init(to container: SharedContainer, _ settings: ProcessingSettings) {
        self.container = container
        self.settings = settings
        fingerprint = settings.fingerprint
    }

    package enum Recall: Sendable {
        /// The container already held the best possible renditions, which are now published.
        case published(ProcessedAttachment)
        /// Renditions must be made.
        case work(Known)
    }

    package struct Known: Sendable {
        fileprivate var digest: ContentDigest?
        fileprivate var manifest: Manifest?

        package var rung: Rung? { manifest.flatMap { Rung(rawValue: $0.rung) } }
    }

    /// Searches for renditions of the same bytes and settings, and publishes final ones.
    package func recall(
        _ file: AttachmentFile, for request: AttachmentRequest, memory: () -> MemoryUse
    ) throws(AttachmentError) -> Recall {
        // A movie's frame is not a notification of its own. A file above its limit is rejected
        // later, without computing a digest.
        guard request.posterOf == nil, file.length <= settings.longest(of: file) else {
            return .work(Known())
        }
        let digest = try file.digest()
        let known = Known(
            digest: digest, manifest: container.result(source: digest, settings: fingerprint))
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
        // An unreadable manifest is replaced like a missing one.
        if let own = try? container.manifest(for: request.identifier),
            own.source.sha256 == manifest.source.sha256, own.settings == fingerprint,
            own.category == request.category, own.isFinal || own.rung == manifest.rung,
            // Fails if the manifest was just pruned; it is then published again.
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
    package enum Refusal: Error {
        /// The renditions do not match their description, which never happens by accident.
        case implausible
        /// The attachment or the container failed.
        case failed(AttachmentError)

        /// Error for an attachment without another maker of renditions.
        package func error(of file: String) -> AttachmentError {
            switch self {
            case .implausible:
                AttachmentError(
                    .crashed, file: file, reason: "its renditions do not match their description")
            case .failed(let error): error
            }
        }
    }

    /// Publishes new renditions, or earlier ones that the maker could not improve.
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

    /// Publishes renditions and the manifest atomically for the content extension.
    ///
    /// The maker's open descriptors never lead to published files: rendition bytes are copied, and
    /// an unchanged attachment is copied from its own file.
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
            // Checked after sealing, when no other process can change the file.
            let matchesHead = RenditionHead.matches(sealed.descriptor, rendition)
            guard rendition.output == nil || matchesHead else { throw .implausible }
            let stored: Manifest.Rendition
            do throws(ContainerError) {
                stored = try publication.add(sealed, rendition)
            } catch {
                throw .failed(.storing(error, of: request.path))
            }
            guard rendition.output != nil || stored.sha256 == source.sha256 else {
                throw .failed(request.changed)
            }
            guard matchesHead else { throw .implausible }
            renditions.append(stored)
        }
        let size = rendered.renditions.first { [.expanded, .media].contains($0.role) }?.size
        let manifest = Manifest(
            identifier: request.identifier, category: request.category, source: source,
            settings: fingerprint, renditions: renditions,
            contentSizeRatio: Manifest.credibleRatio(of: size), placeholder: rendered.placeholder,
            averageColour: rendered.averageColour, rung: movie?.rung ?? rendered.rung,
            engine: rendered.engine?.rawValue,
            predictedPeak: memory.predictedPeak, measuredPeak: memory.measuredPeak,
            notes: (movie?.notes.filter { !PosterNote.matches($0) } ?? []) + rendered.notes)
        do throws(ContainerError) {
            try publication.commit(manifest)
        } catch {
            throw .failed(.storing(error, of: request.path))
        }
        return ProcessedAttachment(manifest: manifest, work: .made, memory: memory)
    }

    /// Copies a rendition to a container file that no other process has open.
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
            guard error.code == .sourceChanged else {
                throw .failed(.storing(error, of: request.path))
            }
            // Only the maker of an output could have shortened it.
            throw rendition.output == nil ? .failed(request.changed) : .implausible
        }
    }
}

extension AttachmentRequest {
    fileprivate var changed: AttachmentError {
        AttachmentError(.unreadable, file: path, reason: "it was changed while it was read")
    }
}

extension ProcessingSettings {
    fileprivate func ceiling(of rendition: RenderedAttachment.Rendition) -> ByteCount {
        MediaType(rawValue: rendition.type).map { media.limit(for: $0.kind) } ?? maximumBytes
    }

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
    /// True if more memory could not improve the renditions.
    fileprivate var isFinal: Bool {
        guard let rung = Rung(rawValue: rung) else {
            return rung == RenderedAttachment.passedThrough
        }
        // A full-size still of an animation is not final: an animated rendition is better.
        return rung == .animated || (rung.isFullSize && source.frames == 1)
    }
}

extension Publication {
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
