import Dispatch

/// Calls something at a moment, on a thread of its own.
///
/// It needs none of the threads that tasks run on: a processor that blocks them all delays no answer.
// Dispatch lets its sources be used from any thread, and the reference never changes.
final class Alarm: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// Sets the alarm.
    ///
    /// - Parameters:
    ///   - moment: When to call; at once when that has passed.
    ///   - action: What to call.
    init(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        // A serial queue gets a thread however many others are busy.
        let queue = DispatchQueue(label: "thimble.alarm", qos: .userInitiated)
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        let rest = min(max(.zero, ContinuousClock.now.duration(to: moment)), Self.longest)
        timer.schedule(
            deadline: .now() + .nanoseconds(Int(rest / .nanoseconds(1))), leeway: .milliseconds(1))
        timer.setEventHandler(handler: action)
        timer.activate()
    }

    deinit { timer.cancel() }

    /// Drops the alarm, if it did not go off yet.
    func cancel() { timer.cancel() }

    /// A year: no notification waits longer, and nothing overflows.
    private static let longest = Duration.seconds(365 * 86_400)
}
