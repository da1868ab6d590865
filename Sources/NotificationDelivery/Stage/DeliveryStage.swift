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
    let container: SharedContainer
    let processor: any AttachmentProcessing
    let configuration: Configuration
    let logger: Logger

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
        DeliveryRun(request: request, deadline: deadline, stage: self, delivery: delivery).start()
        return delivery
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
