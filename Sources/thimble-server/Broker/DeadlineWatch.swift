/// Calls its owner several times a second, to end what waits past its deadline.
///
/// In place of a sleeping task for each wait: a cancelled sleep stays in memory until its time.
package final class DeadlineWatch: Sendable {
    private static let interval = Duration.milliseconds(100)

    private let task: Task<Void, Never>

    /// `body` gets the time of the call.
    package init(_ body: @escaping @Sendable (ContinuousClock.Instant) async -> Void) {
        task = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                await body(.now)
            }
        }
    }

    package func end() { task.cancel() }

    deinit { task.cancel() }
}
