import Dispatch
import Foundation
import Synchronization

/// Writes lines to standard error on a thread of its own.
///
/// A reader that stops, such as a full pipe, must not stop the service: at most 1 MiB waits, and
/// further lines are dropped and counted.
package final class LogSink: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        var isWriting = false
    }

    package static let standardError = LogSink(STDERR_FILENO)

    private static let limit = 1 << 20
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "thimble.log")
    private let state = Mutex(State())

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    package func write(_ line: String) {
        let starts = state.withLock { state in
            guard state.waiting.count + line.utf8.count < Self.limit else {
                state.dropped += 1
                return false
            }
            state.waiting += line.utf8
            state.waiting.append(UInt8(ascii: "\n"))
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if starts { queue.async { self.drain() } }
    }

    /// Waits until all lines are written, at most a second.
    package func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + 1)
    }

    private func drain() {
        while true {
            let bytes = state.withLock { state in
                if state.dropped > 0 {
                    let note = #"{"level":"warning","message":"log lines dropped","count":"#
                    state.waiting += "\(note)\(state.dropped)}\n".utf8
                    state.dropped = 0
                }
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isWriting = false }
                return state.waiting
            }
            guard !bytes.isEmpty else { return }
            bytes.withUnsafeBytes { bytes in
                var start = 0
                while start < bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                    let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                    if count > 0 {
                        start += count
                    } else if errno != EINTR {
                        return
                    }
                }
            }
        }
    }
}
