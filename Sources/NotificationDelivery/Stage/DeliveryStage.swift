public import AttachmentContainer
public import AttachmentIntake
public import AttachmentPlanning
public import Logging

/// The pre-delivery call: notification in, notification out, always within a deadline.
///
/// The answer is the best of these that there is when it is due: the renditions asked for, a lower
/// rung, the original where the system takes it and the content extension can show it, the
/// notification without a picture. Each comes with the reasons why it is not better.
///
/// Any number of deliveries may run at once: they share the processor, and so its one cap. The stage
/// itself decodes nothing, and keeps of a file at most 64 KiB in memory.
public struct DeliveryStage: Sendable {
    let container: SharedContainer
    let processor: any AttachmentProcessing
    let configuration: Configuration
    let logger: Logger

    /// Makes a stage.
    ///
    /// - Parameters:
    ///   - container: Where the processor publishes to.
    ///   - processor: What makes the renditions: an `AttachmentProcessor` or a `WorkerPool`.
    ///   - configuration: What the stage may spend and hand out. The default is every default.
    ///   - logger: Gets what became of notifications at level `debug`, by their keys in the
    ///     container, without texts, identifiers or paths. The default drops everything.
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
    }

    /// Begins a delivery whose answer can be called for at any moment: that of a service extension.
    ///
    /// - Parameters:
    ///   - request: The notification, where its attachment is, and until when.
    ///   - completion: Called exactly once with the answer: on the thread that forces it, else on one
    ///     of the stage's. It may be called before this method returns.
    /// - Returns: What the answer is called for with. Letting go of it ends nothing.
    @discardableResult
    public func begin(
        _ request: DeliveryRequest, completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) -> Delivery {
        let deadline = request.deadline ?? .now.advanced(by: configuration.deadline)
        let delivery = Delivery(
            of: request.notification, logger: logger, completion: completion)
        DeliveryCourse(of: request, until: deadline, in: self, for: delivery).start()
        return delivery
    }

    /// Delivers, for everything but a service extension.
    ///
    /// When the task is cancelled, the answer is the notification without a picture, at once.
    ///
    /// - Parameter request: The notification, where its attachment is, and until when.
    /// - Returns: The answer, whatever happens.
    public func deliver(_ request: DeliveryRequest) async -> DeliveryAnswer {
        let answer = Promise<DeliveryAnswer>()
        let delivery = begin(request) { answer.keep($0) }
        return await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            delivery.cancel()
        }
    }
}
