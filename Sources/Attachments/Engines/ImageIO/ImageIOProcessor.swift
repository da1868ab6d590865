#if canImport(ImageIO)
    public import AttachmentContainer
    public import AttachmentModel
    import AttachmentPipeline
    public import Logging

    /// Processes attachments with the decoders of Apple's platforms, in the calling process, and
    /// publishes their notifications.
    ///
    /// It links no C library. Probing, planning, renditions, manifest and publishing are the same
    /// as in `AttachmentProcessor`, with ImageIO and Core Graphics as the engine. Plans are
    /// conservative: what a coding forces any decoder to hold must fit under the cap, or Quick Look
    /// decodes in its own process. The peaks of ImageIO have not been measured on a device; a
    /// picture that does not fit by the plan's figures is refused.
    ///
    /// It makes no animations and no palettes: of an animation it makes the first frame.
    public struct ImageIOProcessor: AttachmentProcessing {
        private let processor: AttachmentProcessor

        /// The settings of the renditions, and the cap.
        public var settings: ProcessingSettings { processor.settings }

        /// The part of the cap left unused for unplanned demand: 2 MiB.
        ///
        /// Four times the reserve of the measured engines.
        public static let defaultReserve = ByteCount.mebibytes(2)

        /// Creates a processor.
        ///
        /// - Parameters:
        ///   - settings: The settings of the renditions, and the cap, which is lowered to the limit
        ///     that the system has for this process (`os_proc_available_memory()`).
        ///   - container: The container to publish to.
        ///   - reserve: The part of the cap left unused for unplanned demand. The default is 2 MiB.
        ///   - logger: Receives plans at level `debug`, without names or identifiers. The default
        ///     discards everything.
        /// - Throws: `SettingsError` naming a setting outside its range, or linear light.
        public init(
            settings: ProcessingSettings, container: SharedContainer,
            reserve: ByteCount = Self.defaultReserve,
            logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
        ) throws(SettingsError) {
            try SystemEngine<ImageIODecoder>.check(settings)
            var settings = settings
            settings.cap = settings.cap.loweredToLimit()
            // This engine uses no scratch files.
            settings.maximumScratchBytes = ByteCount(0)
            processor = try AttachmentProcessor(
                settings: settings, container: container, fallback: .imageIO, reserve: reserve,
                logger: logger)
        }

        /// Makes the renditions of an attachment and publishes them under an identifier.
        ///
        /// - Parameter request: The file, its notification and the deadline.
        /// - Returns: The manifest, the amount of work and the memory used.
        /// - Throws: `AttachmentError` with the file, the reason and the remedy.
        public func process(
            _ request: AttachmentRequest
        ) async throws(AttachmentError) -> ProcessedAttachment {
            try await processor.process(request)
        }

        /// Reads the header of an attachment and plans it, without decoding or publishing.
        ///
        /// - Parameter request: The file; the notification and the deadline do not matter.
        /// - Returns: The header's facts, the budget and the judged ladder.
        /// - Throws: `AttachmentError` if the file cannot be read or its header is refused.
        public func inspect(
            _ request: AttachmentRequest
        ) async throws(AttachmentError) -> InspectedAttachment {
            try await processor.inspect(request)
        }
    }

    extension FallbackEngine {
        /// ImageIO and Quick Look, for every picture.
        static let imageIO = FallbackEngine(SystemEngine(ImageIODecoder()))
    }
#endif
