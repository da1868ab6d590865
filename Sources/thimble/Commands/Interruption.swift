import Dispatch
import Foundation

/// Runs work that SIGINT or SIGTERM cancels.
func interruptible<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await work() }
    let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { task.cancel() }
        source.resume()
        return source
    }
    defer { sources.forEach { $0.cancel() } }
    return await task.value
}
