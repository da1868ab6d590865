public import AttachmentContainer
public import AttachmentModel

/// Renditions that another machine made, as its manifest describes them.
///
/// The manifest and the files are trusted no more than a worker's: both are checked before anything is
/// published, as the renditions of workers are.
public struct DescribedRenditions: Sendable {
    /// Renditions with files of their own, in the manifest's order; unchanged sound and movies have none.
    public let files: [Manifest.Rendition]
    private let media: RenderedAttachment?
    /// Pictures, or the poster of a movie.
    private let pictures: RenderedAttachment?
    private let memory: MemoryUse

    /// Reads a manifest.
    public init(_ manifest: Manifest) {
        files = manifest.renditions.filter { $0.role != .media }
        memory = MemoryUse(
            baseline: ByteCount(0), predictedPeak: manifest.predictedPeak,
            measuredPeak: manifest.measuredPeak ?? ByteCount(0))
        media = manifest.rendition(.media).map {
            RenderedAttachment(manifest, [.init($0, output: nil)], rung: manifest.rung)
        }
        let renditions = files.enumerated().map { RenderedAttachment.Rendition($1, output: $0) }
        pictures =
            renditions.isEmpty
            ? nil
            : RenderedAttachment(
                manifest, renditions,
                // The movie's own rung stays the manifest's.
                rung: media == nil ? manifest.rung : Rung.streamed.rawValue)
    }

    /// Checks the description, before any file is fetched.
    ///
    /// - Parameters:
    ///   - known: The renditions to be made.
    ///   - path: The attachment's path, for the error.
    /// - Throws: `AttachmentError` with the code `crashed` for a description that no worker gives, such as
    ///   one of too many renditions.
    public func check(
        for known: AttachmentPublisher.Known, of path: String
    ) throws(AttachmentError) {
        let arePlausible = [media, pictures].compactMap(\.self).allSatisfy {
            $0.isPlausible(outputs: files.count, presets: known.presets)
        }
        guard arePlausible else {
            throw AttachmentPublisher.Refusal.implausible.error(of: path)
        }
    }

    /// Checks the files and publishes the renditions.
    ///
    /// - Parameters:
    ///   - outputs: The contents of ``files``, in the same order.
    ///   - file: The attachment.
    ///   - known: The answer of ``AttachmentPublisher/recall(_:for:memory:)``.
    ///   - request: The request for which they were made.
    ///   - publisher: Publishes them in its container.
    /// - Returns: The published manifest.
    /// - Throws: `AttachmentError` for files that do not match their description, and if the container
    ///   cannot be written to.
    public func publish(
        _ outputs: [OwnedDescriptor], of file: AttachmentFile, _ known: AttachmentPublisher.Known,
        for request: AttachmentRequest, by publisher: AttachmentPublisher
    ) throws(AttachmentError) -> ProcessedAttachment {
        var request = request
        var done: ProcessedAttachment?
        for rendered in [media, pictures].compactMap(\.self) {
            let sealed: SealedAttachment
            do throws(AttachmentPublisher.Refusal) {
                sealed = try publisher.seal(
                    Rendering(rendered, memory: memory), from: outputs, of: file, known)
            } catch {
                throw error.error(of: request.path)
            }
            let published = try publisher.publish(sealed, for: request)
            request.posterOf = published.manifest
            done = published
        }
        guard let done else {
            throw AttachmentError(
                .crashed, file: request.path, reason: "its manifest names no rendition")
        }
        return done
    }
}

extension RenderedAttachment {
    fileprivate init(_ manifest: Manifest, _ renditions: [Rendition], rung: String) {
        let source = manifest.source
        self.init(
            source: Source(
                format: source.format, coding: source.coding, size: source.size,
                orientation: source.orientation, frames: source.frames,
                framesUsed: source.framesUsed),
            renditions: renditions, placeholder: manifest.placeholder,
            averageColour: manifest.averageColour, rung: rung,
            engine: manifest.engine.flatMap { Engine(rawValue: $0) },
            notes: rung == manifest.rung ? manifest.notes : [],
            thumbnailTime: manifest.thumbnailTime)
    }
}

extension RenderedAttachment.Rendition {
    fileprivate init(_ rendition: Manifest.Rendition, output: Int?) {
        self.init(
            rendition.role, type: rendition.type, size: rendition.size, crop: rendition.crop,
            duration: rendition.duration, frames: rendition.frames,
            loopCount: rendition.loopCount, output: output)
    }
}
