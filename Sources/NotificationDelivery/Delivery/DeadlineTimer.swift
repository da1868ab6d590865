import Dispatch

/// A one-shot timer with a thread of its own.
///
/// It is independent of Swift's task threads: a processor that blocks them all delays no answer.
// Dispatch lets its sources be used from any thread, and the reference never changes.
final class DeadlineTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        // A serial queue gets a thread even when all others are busy.
        let queue = DispatchQueue(label: "thimble.alarm", qos: .userInitiated)
        source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        let rest = min(max(.zero, ContinuousClock.now.duration(to: moment)), Self.longest)
        source.schedule(
            deadline: .now() + .nanoseconds(Int(rest / .nanoseconds(1))), leeway: .milliseconds(1))
        source.setEventHandler(handler: action)
        source.activate()
    }

    deinit { source.cancel() }

    func cancel() { source.cancel() }

    /// A year: longer than any delivery, and safe from overflow.
    private static let longest = Duration.seconds(365 * 86_400)
}
