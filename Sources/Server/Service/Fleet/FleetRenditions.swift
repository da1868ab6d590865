import AttachmentContainer
import AttachmentModel
import AttachmentPublishing

/// The renditions that a fleet's manifest names, as a worker would report them.
struct FleetRenditions: Sendable {
    /// Renditions with objects, in the order of the outputs; sound and movies have no objects.
    let made: [Manifest.Rendition]
    private let media: RenderedAttachment?
    /// Pictures, or the poster of a movie.
    private let pictures: RenderedAttachment?
    private let memory: MemoryUse

    init(_ manifest: Manifest) {
        made = manifest.renditions.filter { $0.role != .media }
        memory = MemoryUse(
            baseline: ByteCount(0), predictedPeak: manifest.predictedPeak,
            measuredPeak: manifest.measuredPeak ?? ByteCount(0))
        media = manifest.rendition(.media).map {
            RenderedAttachment(manifest, [.init($0, output: nil)], rung: manifest.rung)
        }
        let renditions = made.enumerated().map { RenderedAttachment.Rendition($1, output: $0) }
        pictures =
            renditions.isEmpty
            ? nil
            : RenderedAttachment(
                manifest, renditions,
                // The movie's own rung stays the manifest's.
                rung: media == nil ? manifest.rung : Rung.streamed.rawValue)
    }

    /// False for a description that no worker gives, such as one of too many renditions.
    func arePlausible(presets: PresetSelection) -> Bool {
        [media, pictures].compactMap(\.self).allSatisfy {
            $0.isPlausible(outputs: made.count, presets: presets)
        }
    }

    /// Checks and publishes the renditions.
    func publish(
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
                .crashed, file: request.path, reason: "the fleet's result names no rendition")
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
