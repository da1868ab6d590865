public import AttachmentContainer
public import AttachmentPlanning
import Dispatch
public import Logging

/// Turns attachments into notifications in a container.
///
/// It may be used from any number of tasks at once. It does not bound how many attachments are
/// under way together: that is for the caller, who knows the memory there is.
public struct AttachmentProcessor: Sendable {
    /// What is asked of the renditions.
    public let settings: ProcessingSettings
    /// Where the notifications go.
    public let container: SharedContainer
    private let logger: Logger
    /// Decoding blocks its thread, which those of the tasks must not be.
    private let queue = DispatchQueue(label: "thimble.attachments", attributes: .concurrent)

    /// Makes a processor.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions.
    ///   - container: Where the notifications go.
    ///   - logger: Gets the plans at level `debug`, without names or identifiers. The default drops
    ///     everything.
    /// - Throws: `SettingsError` naming a setting outside its range.
    public init(
        settings: ProcessingSettings, container: SharedContainer,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        try settings.validate()
        self.settings = settings
        self.container = container
        self.logger = logger
    }

    /// Makes the renditions of an attachment and publishes them under an identifier.
    ///
    /// What the container holds already for the same bytes and settings is not made again. When the
    /// task is cancelled, the work stops within a few rows and leaves nothing behind.
    ///
    /// - Parameters:
    ///   - path: The attachment's file. It is only read.
    ///   - identifier: The notification's identifier. What stood under it is replaced.
    ///   - category: The notification's category. The default is none.
    /// - Returns: The manifest, and how much work it took.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    public func process(
        _ path: String, identifier: String, category: String? = nil
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let request = Request(path: path, identifier: identifier, category: category)
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(
                        returning: Result { () throws(AttachmentError) in
                            try fulfil(request, cancellation)
                        })
                }
            }
        } onCancel: {
            cancellation.request()
        }
        do {
            return try result.get()
        } catch {
            logger.debug(
                "failed", metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
            throw error
        }
    }

    /// The steps, from top to bottom.
    private func fulfil(
        _ request: Request, _ cancellation: Cancellation
    ) throws(AttachmentError) -> ProcessedAttachment {
        let file = try AttachmentFile(path: request.path)
        let header = try Probe.header(of: file.descriptor, file: file.path)
        try admit(header, file: file.path)
        let digest = try file.digest()
        if let known = try recall(digest, for: request) { return known }

        let plan = Planner(settings: settings).plan(header)
        logger.debug("planned", metadata: ["plan": "\(plan)"])
        let renditions = try makeRenditions(plan, file, cancellation)
        guard !cancellation.isRequested else {
            throw AttachmentError(.cancelled, file: file.path, reason: "it was withdrawn")
        }
        return try publish(renditions, plan, digest, for: request)
    }

    /// Refuses what is over the ceilings, before anything is decoded.
    private func admit(_ header: AttachmentHeader, file: String) throws(AttachmentError) {
        guard header.fileBytes <= settings.maximumSourceBytes else {
            throw AttachmentError(
                .tooLarge, file: file,
                reason: "the file has \(header.fileBytes), more than the ceiling of "
                    + "\(settings.maximumSourceBytes)")
        }
        guard header.storedSize.pixelCount <= settings.maximumPixels else {
            throw AttachmentError(
                .dimensions, file: file,
                reason: "it claims \(header.storedSize) pixels, more than the ceiling of "
                    + "\(Double(settings.maximumPixels) / 1_000_000) million")
        }
    }

    /// Makes everything that is published.
    ///
    /// libjpeg reports damage inside a scan and stray bytes that cost no pixel in the same way: a
    /// picture with nothing but stray bytes is decoded once more, failing only where it ends early.
    private func makeRenditions(
        _ plan: Plan, _ file: borrowing AttachmentFile, _ cancellation: Cancellation
    ) throws(AttachmentError) -> Renditions {
        let strictness = DecodeStrictness(
            for: plan.header.format, tolerant: settings.toleratesTruncation)
        do {
            return try makeRenditions(
                plan, file, RenderingContext(strictness: strictness, cancellation: cancellation))
        } catch  where error.isHarmlessRemark {
            return try makeRenditions(
                plan, file, RenderingContext(strictness: .truncation, cancellation: cancellation))
        }
    }
}

/// What the caller of a processor asked for.
struct Request: Sendable {
    /// The attachment's path.
    let path: String
    /// The notification's identifier.
    let identifier: String
    /// The notification's category.
    let category: String?
}
