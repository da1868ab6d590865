public import AttachmentContainer
import AttachmentDecoding
public import AttachmentIntake
public import AttachmentPlanning
public import Logging

/// Turns attachments into notifications in a container, in the calling process.
///
/// It may be used from any number of tasks at once: together they stay under the cap, since every
/// attachment waits until the bytes that its plan needs are free.
public struct AttachmentProcessor: AttachmentProcessing {
    /// What is asked of the renditions.
    public let settings: ProcessingSettings
    /// Where the notifications go.
    public let container: SharedContainer
    private var renderer: AttachmentRenderer
    private let publisher: AttachmentPublisher

    /// Called on the thread that decodes, just before it does, with the rung and the predicted peak.
    package var willDecode: @Sendable (Plan.Rung, ByteCount) -> Void {
        get { renderer.willDecode }
        set { renderer.willDecode = newValue }
    }

    /// Makes a processor.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions, and the cap.
    ///   - container: Where the notifications go.
    ///   - reserve: What of the cap is left unused, for what no plan knows of. The default is
    ///     512 KiB; a process that does nothing else needs less.
    ///   - logger: Gets the plans at level `debug`, without names or identifiers. The default drops
    ///     everything.
    /// - Throws: `SettingsError` naming a setting outside its range.
    public init(
        settings: ProcessingSettings, container: SharedContainer,
        reserve: ByteCount = MemoryBudget.defaultReserve,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        self.settings = settings
        self.container = container
        renderer = try AttachmentRenderer(
            settings: settings,
            scratch: .folder(settings.scratchFolder ?? container.incomingFolder), reserve: reserve,
            placement: nil, logger: logger)
        publisher = AttachmentPublisher(to: container, settings)
    }

    /// Makes the renditions of an attachment and publishes them under an identifier.
    ///
    /// What the container holds already for the same bytes and settings is not made again. When the
    /// task is cancelled, or the deadline passes, the work stops within a few rows and leaves nothing
    /// behind. What would take many times as long as there is time is refused before it is decoded.
    ///
    /// - Parameter request: The file, whose notification it is, and until when.
    /// - Returns: The manifest, how much work it took and how much memory.
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
        var render = RenderRequest(file, to: .folder(container.incomingFolder))
        render.deadline = request.deadline
        render.below = request.below
        render.known = known.rung
        render.isPoster = request.posterOf != nil
        let (rendering, outputs) = try await renderer.render(render)
        guard !Task.isCancelled else {
            throw AttachmentError(.cancelled, file: request.path, reason: "it was withdrawn")
        }
        return try await BlockingWork.run { () throws(AttachmentError) in
            do throws(AttachmentPublisher.Refusal) {
                return try publisher.publish(
                    rendering, from: outputs, of: file, known, for: request)
            } catch {
                throw error.error(of: request.path)
            }
        }
    }
}
