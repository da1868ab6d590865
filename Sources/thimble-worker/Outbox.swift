import Foundation
import WorkerProtocol

/// The way to the supervisor: what was standard output.
struct Outbox: Sendable {
    /// What is written to.
    let descriptor: CInt

    /// Takes standard output over, and lets whatever a library prints go to standard error instead,
    /// where it cannot be taken for a message.
    init() {
        descriptor = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    /// Sends a message.
    ///
    /// - Parameter message: The message; without a supervisor that reads it, this process ends.
    func send(_ message: WorkerMessage) {
        var rest = frame(of: message)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { _exit(1) }
            rest = rest.dropFirst(count)
        }
    }

    private func frame(of message: WorkerMessage) -> Data {
        do throws(FrameError) {
            return try Frame.encode(message)
        } catch {
            // Nothing that a worker says comes near the ceiling: what does is a fault of ours.
            fatalError("the message cannot be sent: \(error)")
        }
    }
}
