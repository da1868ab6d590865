package import AttachmentContainer
package import AttachmentDecryption
package import AttachmentModel
internal import Foundation

/// Renditions that their maker can no longer change, checked and not yet published.
package struct SealedAttachment: Sendable {
    enum Content: Sendable {
        /// Earlier renditions, which the maker could not improve.
        case earlier(AttachmentPublisher.Known)
        case new(RenderedAttachment, of: Manifest.Source, [SealedRendition])
    }

    let content: Content
    let memory: MemoryUse
}

/// A rendition in a container file that no other process has open.
final class SealedRendition: Sendable {
    /// True if it is a copy of the attachment's file, whose digest it then has.
    let isOriginalFile: Bool

    private let rendition: RenderedAttachment.Rendition
    private let seal: Manifest.Rendition.Seal?
    private let file: Lock<IncomingFile?>

    init(
        _ file: consuming IncomingFile, _ rendition: RenderedAttachment.Rendition,
        under seal: Manifest.Rendition.Seal?, of attachment: AttachmentFile
    ) {
        isOriginalFile = rendition.output == nil && !attachment.isEncrypted && seal == nil
        self.seal = seal
        self.file = Lock(file)
        self.rendition = rendition
    }

    /// Stores the rendition; nil if it was stored before.
    func store(
        in publication: inout Publication
    ) throws(ContainerError) -> Manifest.Rendition? {
        guard let file = file.withLock({ $0.take() }) else { return nil }
        return try publication.add(file, rendition, seal)
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

    /// Copies the renditions to files of the container, and checks them.
    ///
    /// A container that seals pictures takes outputs that were encrypted while they were written: `sealing`
    /// has them, in the order of `outputs`, and is empty for renditions in the clear.
    ///
    /// The maker's open descriptors never lead to published files: rendition bytes are copied, and
    /// an unchanged attachment is copied from its own file. Afterwards the maker and `outputs` can
    /// serve another attachment.
    package func seal(
        _ rendering: Rendering, from outputs: [OwnedDescriptor], sealing: [SealingFile] = [],
        of file: AttachmentFile, _ known: Known
    ) throws(Refusal) -> SealedAttachment {
        guard let rendered = rendering.attachment else {
            guard known.rung != nil else { throw .implausible }
            return SealedAttachment(content: .earlier(known), memory: rendering.memory)
        }
        guard rendered.isPlausible(outputs: outputs.count, presets: known.presets) else {
            throw .implausible
        }
        let source: Manifest.Source
        do throws(AttachmentError) {
            let digest = if let known = known.digest { known } else { try file.digest() }
            source = Manifest.Source(rendered.source, file.length, digest)
        } catch {
            throw .failed(error)
        }
        var renditions: [SealedRendition] = []
        for rendition in rendered.renditions {
            if container.sealsPictures {
                // This process made it, and its digest authenticates it.
                renditions.append(try encrypted(rendition, from: outputs, sealing, of: file))
                continue
            }
            let sealed = try seal(rendition, from: outputs, of: file)
            // Checked after sealing, when no other process can change the file.
            if !RenditionHead.matches(sealed.descriptor, rendition) {
                guard rendition.output == nil else { throw .implausible }
                guard !file.isEncrypted else { throw .implausible }
                let isChanged = try sealed.digest(of: file.path) != source.sha256
                throw isChanged ? Refusal.failed(.changed(file.path)) : .implausible
            }
            renditions.append(SealedRendition(sealed, rendition, under: nil, of: file))
        }
        return SealedAttachment(
            content: .new(rendered, of: source, renditions), memory: rendering.memory)
    }

    func seal(
        _ rendition: RenderedAttachment.Rendition, from outputs: [OwnedDescriptor],
        of file: AttachmentFile
    ) throws(Refusal) -> IncomingFile {
        if rendition.output == nil, file.isEncrypted {
            return try sealPlaintext(of: file, rendition)
        }
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
                throw .failed(.storing(error, of: file.path))
            }
            // Only the maker of an output could have shortened it.
            throw rendition.output == nil ? Refusal.failed(.changed(file.path)) : .implausible
        }
    }

    /// Writes an encrypted picture that needs no change, and so is its own rendition.
    private func sealPlaintext(
        of file: AttachmentFile, _ rendition: RenderedAttachment.Rendition
    ) throws(Refusal) -> IncomingFile {
        let copy = try emptyFile(for: file, rendition)
        try forEachBlock(of: file) { block throws(ContainerError) in try copy.append(block) }
        return copy
    }

    func emptyFile(
        for file: AttachmentFile, _ rendition: RenderedAttachment.Rendition
    ) throws(Refusal) -> IncomingFile {
        guard file.length <= settings.ceiling(of: rendition) else { throw .implausible }
        do throws(ContainerError) {
            return try IncomingFile(in: container)
        } catch {
            throw .failed(.storing(error, of: file.path))
        }
    }

    func forEachBlock(
        of file: AttachmentFile, _ body: (Data) throws(ContainerError) -> Void
    ) throws(Refusal) {
        do throws(AttachmentError) {
            try file.forEachBlock { block throws(AttachmentError) in
                do throws(ContainerError) {
                    try body(block)
                } catch {
                    throw .storing(error, of: file.path)
                }
            }
        } catch {
            throw .failed(error)
        }
    }
}

extension AttachmentError {
    static func changed(_ file: String) -> AttachmentError {
        AttachmentError(.unreadable, file: file, reason: "it was changed while it was read")
    }
}

extension IncomingFile {
    /// Digest of the bytes; `path` is the original's.
    fileprivate func digest(of path: String) throws(AttachmentPublisher.Refusal) -> ContentDigest {
        do throws(AttachmentError) {
            return try AttachmentFile(descriptor: dup(descriptor), path: path).digest()
        } catch {
            throw .failed(error)
        }
    }
}

extension ProcessingSettings {
    fileprivate func ceiling(of rendition: RenderedAttachment.Rendition) -> ByteCount {
        MediaType(rawValue: rendition.type).map { media.limit(for: $0.kind) }
            ?? maximumBytes(of: rendition.role)
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

extension Publication {
    fileprivate mutating func add(
        _ file: consuming IncomingFile, _ rendition: RenderedAttachment.Rendition,
        _ seal: Manifest.Rendition.Seal?
    ) throws(ContainerError) -> Manifest.Rendition {
        if let type = MediaType(rawValue: rendition.type) {
            return try add(
                file, media: type, size: rendition.size == .zero ? nil : rendition.size,
                duration: rendition.duration)
        }
        let type = RenditionType(rawValue: rendition.type) ?? .jpeg
        if rendition.role == .attachment {
            return try add(
                file, animationOf: rendition.size, frames: rendition.frames ?? 1,
                duration: rendition.duration ?? 0, loopCount: rendition.loopCount ?? 0, seal: seal)
        }
        return try add(
            file, as: rendition.role, type: type, size: rendition.size, crop: rendition.crop,
            seal: seal)
    }
}
