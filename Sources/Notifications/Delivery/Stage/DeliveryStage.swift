public import AttachmentContainer
public import AttachmentModel
public import Logging

/// The pre-delivery call: takes a notification and returns one, always within a deadline.
///
/// The answer is the best available of these: the renditions requested, a lower rung, the original if
/// the system accepts it and the content extension can show it, the notification without a picture.
/// A lesser answer has its reasons.
///
/// Any number of deliveries may run at once: they share the processor and its cap. The stage itself
/// decodes nothing and buffers at most 64 KiB of a file.
public struct DeliveryStage: Sendable {
    package let container: SharedContainer
    let processor: any AttachmentProcessing
    let configuration: Configuration
    let logger: Logger
    /// Nil if every receiver of an answer gets files of its own.
    private let memory: PictureMemory?

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - container: The container that the processor publishes to.
    ///   - processor: The source of renditions: an `AttachmentProcessor` or a `WorkerPool`.
    ///   - configuration: The stage's configuration. The default is `Configuration()`.
    ///   - logger: A logger for outcomes at level `debug`, by their keys in the container, without
    ///     texts, identifiers or paths. The default drops everything.
    /// - Throws: `SettingsError` naming a setting outside its range.
    public init(
        container: SharedContainer, processor: any AttachmentProcessing,
        configuration: Configuration = .init(),
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        try configuration.validate()
        self.container = container
        self.processor = processor
        self.configuration = configuration
        self.logger = logger
        memory =
            configuration.handover == .inPlace
            ? PictureMemory(of: container, capacity: configuration.rememberedPictures) : nil
    }

    /// Returns the answer to a request whose picture is known, without waiting.
    ///
    /// A picture is known if it was processed recently for a request with the naming of pictures, its
    /// file has not changed since, and the container still has its renditions.
    ///
    /// - Parameter request: The notification and its attachment.
    /// - Returns: The answer; nil if the request has to be delivered.
    public func knownAnswer(to request: DeliveryRequest) -> DeliveryAnswer? {
        memory?.answer(to: request).map { DeliveryAnswer($0, of: request.notification) }
    }

    /// Returns true if the request would wait for another delivery of the same picture.
    ///
    /// - Parameter request: The notification and its attachment.
    /// - Returns: True if another delivery is processing the picture.
    public func isInProgress(_ request: DeliveryRequest) -> Bool {
        memory?.isInProgress(request) ?? false
    }

    /// Begins a delivery whose answer can be requested at any time, as a service extension needs.
    ///
    /// - Parameters:
    ///   - request: The notification, its attachment and the deadline.
    ///   - completion: Called exactly once with the answer: on the thread that requests it, or else on
    ///     one of the stage's. The call may precede the return of this method.
    /// - Returns: The delivery. Releasing it does not end the delivery.
    @discardableResult
    public func begin(
        _ request: DeliveryRequest, completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) -> Delivery {
        let deadline = request.deadline ?? .now.advanced(by: configuration.deadline)
        let delivery = Delivery(of: request.notification, logger: logger, completion: completion)
        delivery.answer(by: deadline)
        start(delivery, of: request, by: deadline)
        return delivery
    }

    private func start(
        _ delivery: Delivery, of request: DeliveryRequest, by deadline: ContinuousClock.Instant
    ) {
        let run = DeliveryRun(request: request, deadline: deadline, stage: self, delivery: delivery)
        guard let memory else { return run.start() }
        switch memory.join(request) {
        case nil: run.start()
        case .known(let draft): delivery.finish(draft)
        case .waits(let flight):
            flight.whenEnded { draft in
                guard !delivery.isAnswered else { return }
                if draft.isOverdue {
                    // The other delivery had less time.
                    start(delivery, of: request, by: deadline)
                } else {
                    delivery.finish(draft)
                }
            }
        case .leads(let flight):
            let identity = request.identity
            delivery.onDraft { draft in
                memory.end(flight, draft, identity ?? run.identity.withLock { $0 })
            }
            run.start()
        }
    }

    /// Delivers a notification, for all uses except a service extension.
    ///
    /// On cancellation of the task, the answer is immediate and without a picture.
    ///
    /// - Parameter request: The notification, its attachment and the deadline.
    /// - Returns: The answer; deliveries never fail.
    public func deliver(_ request: DeliveryRequest) async -> DeliveryAnswer {
        let answer = Promise<DeliveryAnswer>()
        let delivery = begin(request) { answer.fulfil($0) }
        return await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            delivery.cancel()
        }
    }
}
