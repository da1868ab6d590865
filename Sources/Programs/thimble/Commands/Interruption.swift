import ArgumentParser
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

/// Runs a measurement that SIGINT or SIGTERM cancels.
func interruptibleMeasurement<Value: Sendable>(
    _ measure: @escaping @Sendable () async throws(BenchmarkError) -> Value
) async throws(BenchmarkError) -> Value {
    let result = await interruptible { () async -> Result<Value, BenchmarkError> in
        do throws(BenchmarkError) {
            return .success(try await measure())
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}

extension BenchmarkError {
    /// Reports the error and returns the command's exit code.
    func reported() -> ExitCode {
        Terminal.complain("error: \(self)")
        return isInterruption ? .interrupted : .unusable
    }
}
