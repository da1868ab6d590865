import Dispatch
import Foundation

/// Runs work that Ctrl-C cancels: what is under way stops and leaves nothing half-written.
///
/// - Parameter work: The work.
/// - Returns: What it gives.
func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
) async -> Value {
    let task = Task { await work() }
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { task.cancel() }
    source.resume()
    defer { source.cancel() }
    return await task.value
}
