import AttachmentContainer
import AttachmentModel
import Foundation
import Subprocess
import WorkerProtocol

/// The loss of a worker and of its current work.
struct WorkerLoss: Error, Sendable {
    enum Cause: Sendable, Hashable {
        /// It exceeded its memory limit.
        case memory
        /// Another process killed it, possibly the system for lack of memory.
        case killed
        /// It exited by itself; the text describes the exit.
        case crashed(String)
        /// The supervisor killed it at the timeout.
        case late
        /// The supervisor killed it because its work was cancelled.
        case withdrawn
        /// It could not start working; the text is the reason.
        case unable(String)
        /// The supervisor killed it for a protocol violation; the text describes it.
        case breach(String)
    }

    let cause: Cause
    /// The rung being decoded; nil before decoding.
    var started: WorkerStarted?
    /// The tail of its standard error.
    var output = ""

    /// The cause of an exit without a kill by the supervisor.
    static func cause(
        of status: TerminationStatus?, wasOverCap: Bool, isLimited: Bool
    ) -> Cause {
        if wasOverCap { return .memory }
        switch status {
        case .exited(MemoryExhaustion.exitCode) where isLimited: return .memory
        case .signaled(SIGKILL): return .killed
        case .signaled(let signal): return .crashed("it was killed by signal \(signal)")
        case .exited(let code): return .crashed("it exited with code \(code)")
        case nil: return .crashed("it could not be started")
        }
    }
}

extension WorkerLoss {
    /// The attachment's error.
    func error(for file: String, cap: HardCap, timeout: Duration) -> AttachmentError {
        let rung = started.map {
            " on the rung \($0.rung.rawValue), predicted to peak at \($0.predictedPeak)"
        }
        let place = rung ?? " before decoding began"
        switch cause {
        case .memory:
            return AttachmentError(
                .killed, file: file,
                reason: "its worker exceeded the cap of \(cap.cap) (\(cap.mechanism.rawValue))"
                    + place,
                detail: output)
        case .killed:
            return AttachmentError(
                .killed, file: file,
                reason:
                    "its worker was killed by another process, perhaps by the system for lack of "
                    + "memory," + place,
                detail: output)
        case .crashed(let how):
            return AttachmentError(
                .crashed, file: file, reason: "its worker crashed\(place): \(how)", detail: output)
        case .late:
            return AttachmentError(
                .late, file: file,
                reason: "it took more than \(timeout.inSeconds) s; its worker was killed\(place)")
        case .withdrawn:
            return AttachmentError(.cancelled, file: file, reason: "it was cancelled")
        case .unable(let reason):
            return AttachmentError(
                .crashed, file: file, reason: "its worker cannot work: \(reason)", detail: output)
        case .breach(let how):
            return AttachmentError(
                .crashed, file: file, reason: "its worker broke the protocol\(place): \(how)",
                detail: output)
        }
    }
}

extension Duration {
    /// Seconds as text.
    var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
