public import AttachmentContainer
import AttachmentDecryption
import AttachmentFormats
public import AttachmentModel
internal import AttachmentPublishing
internal import CSystemCalls
public import Logging

/// Processes attachments and publishes their notifications, in the calling process.
///
/// Concurrent use stays under the cap, because every attachment waits until the bytes of its plan
/// are free, and is planned again if the process has less left by then.
///
/// For a container that seals pictures it uses no scratch files, which would have pixels in the clear,
/// and refuses what only libvips or a scratch file decodes, such as HEIC, AVIF and lossy WebP, and sound
/// and movies.
public struct AttachmentProcessor: AttachmentProcessing {
    /// The settings of the renditions, and the cap.
    public let settings: ProcessingSettings
    /// The container to publish to.
    public let container: SharedContainer
    private var renderer: AttachmentRenderer
    private let publisher: AttachmentPublisher

    /// Called on the decoding thread, just before decoding, with the rung and the predicted peak.
    package var willDecode: @Sendable (Rung, ByteCount) -> Void {
        get { renderer.willDecode }
        set { renderer.willDecode = newValue }
    }

    /// Memory of sealing: 170 kB of libcrypto's at its first use, measured, and a buffer for each
    /// rendition of all presets.
    private static let sealingReserve = ByteCount(
        170_000 + PresetSelection(Preset.allCases).outputs * SealingFile.pieceBytes)

    /// Creates a processor.
    ///
    /// With glibc it sets `M_TRIM_THRESHOLD` for the whole process (`mallopt(3)`), so that freed memory
    /// does not count toward the cap.
    ///
    /// - Parameters:
    ///   - settings: The settings of the renditions, and the cap.
    ///   - container: The container to publish to.
    ///   - fallback: The engine for pictures that the engine of rows does not support:
    ///     `FallbackEngine.libvips` of `AttachmentVips`. Without one, the default, these fail with
    ///     `needsLibvips`, and nothing of libvips is linked.
    ///   - reserve: The part of the cap left unused for unplanned demand. The default is 512 KiB; a
    ///     dedicated process needs less.
    ///   - logger: Receives plans at level `debug`, without names or identifiers. The default
    ///     discards everything.
    /// - Throws: `SettingsError` naming a setting outside its range.
    public init(
        settings: ProcessingSettings, container: SharedContainer,
        fallback: FallbackEngine? = nil, reserve: ByteCount = MemoryBudget.defaultReserve,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        // Its attachments may run on any thread; a worker's process has these settings from its start.
        thimble_return_freed_memory()
        self.settings = settings
        self.container = container
        var (settings, reserve) = (settings, reserve)
        if container.sealsPictures {
            settings.maximumScratchBytes = ByteCount(0)
            reserve = ByteCount(reserve.bytes + Self.sealingReserve.bytes)
        }
        renderer = try AttachmentRenderer(
            settings: settings,
            scratch: .folder(settings.scratchFolder ?? container.incomingFolder), reserve: reserve,
            placement: nil, fallback: fallback, logger: logger)
        publisher = AttachmentPublisher(to: container, settings)
    }

    /// Reads the header of an attachment and plans it, without decoding or publishing.
    ///
    /// - Parameter request: The file; the notification and the deadline do not matter.
    /// - Returns: The header's facts, the budget and the judged ladder.
    /// - Throws: `AttachmentError` if the file cannot be read or its header is refused.
    public func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        let file = try request.openFile()
        return try await BlockingWork.run { () throws(AttachmentError) in
            try renderer.inspect(file)
        }
    }

    /// Makes the renditions of an attachment and publishes them under an identifier.
    ///
    /// Existing renditions of the same bytes and settings are reused. On cancellation or at the
    /// deadline the work stops within a few rows and leaves nothing behind. Work that would take
    /// several times the remaining time is refused before decoding.
    ///
    /// - Parameter request: The file, its notification and the deadline.
    /// - Returns: The manifest, the amount of work and the memory used.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    public func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let file = try request.openFile()
        let recall = try await BlockingWork.run { () throws(AttachmentError) in
            try publisher.recall(file, for: request) { renderer.idleMemory }
        }
        let known: AttachmentPublisher.Known
        switch recall {
        case .published(let done): return done
        case .work(let found): known = found
        }
        let folder = container.incomingFolder
        var render = RenderRequest(
            file, to: container.sealsPictures ? .sealed(in: folder) : .folder(folder))
        render.deadline = request.deadline
        render.below = request.below
        render.known = known.rung
        render.presets = request.presets
        render.isPoster = request.posterOf != nil
        let (rendering, outputs) = try await renderer.render(render)
        guard !Task.isCancelled else { throw .cancelled(request.path) }
        // Only a pool of workers has stills of movies. The file is not read for its digest.
        if let refusal = rendering.attachment?.refusal { throw refusal }
        return try await BlockingWork.run { () throws(AttachmentError) in
            let sealed: SealedAttachment
            do throws(AttachmentPublisher.Refusal) {
                sealed = try publisher.seal(
                    rendering, from: outputs.map(\.file), sealing: outputs.compactMap(\.sealing),
                    of: file, known)
            } catch {
                throw error.error(of: request.path)
            }
            return try publisher.publish(sealed, for: request)
        }
    }
}
