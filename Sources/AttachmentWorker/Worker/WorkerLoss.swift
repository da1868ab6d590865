import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import Subprocess
import WorkerProtocol

/// A worker that is gone, and with it what it worked on.
struct WorkerLoss: Error, Sendable {
    /// Why it is gone.
    enum Cause: Sendable, Hashable {
        /// It was killed, or gave up, for its memory.
        case memory
        /// It was killed from outside, perhaps by the system for want of memory.
        case killed
        /// It ended by itself, and how.
        case crashed(String)
        /// The supervisor killed it since it took too long.
        case late
        /// The supervisor killed it since its work was withdrawn.
        case withdrawn
        /// It could not work at all, and why.
        case unable(String)
        /// The supervisor killed it for what it said, which no worker says then, and what that was.
        case breach(String)
    }

    let cause: Cause
    /// The rung it was on; nil when it had not begun to decode.
    var started: WorkerStarted?
    /// The end of what it printed.
    var output = ""

    /// Says how a process ended that nobody here killed.
    static func cause(
        of status: TerminationStatus?, wasOverCap: Bool, isLimited: Bool
    ) -> Cause {
        if wasOverCap { return .memory }
        switch status {
        case .exited(MemoryExhaustion.exitCode) where isLimited: return .memory
        case .signaled(SIGKILL): return .killed
        case .signaled(let signal): return .crashed("it was ended by signal \(signal)")
        case .exited(let code): return .crashed("it ended with code \(code)")
        case nil: return .crashed("it could not be started")
        }
    }
}

extension WorkerLoss {
    /// What the loss means for the attachment.
    func error(for file: String, cap: HardCap, timeout: Duration) -> AttachmentError {
        let rung = started.map {
            " on the rung \($0.rung.rawValue), predicted to peak at \($0.predictedPeak)"
        }
        let place = rung ?? " before it began to decode"
        switch cause {
        case .memory:
            return AttachmentError(
                .killed, file: file,
                reason: "its worker passed the cap of \(cap.cap) (\(cap.mechanism.rawValue))"
                    + place,
                detail: output)
        case .killed:
            return AttachmentError(
                .killed, file: file,
                reason: "its worker was killed from outside, perhaps by the system for want of "
                    + "memory," + place,
                detail: output)
        case .crashed(let how):
            return AttachmentError(
                .crashed, file: file, reason: "its worker crashed\(place): \(how)", detail: output)
        case .late:
            return AttachmentError(
                .late, file: file,
                reason: "it took more than \(timeout.inSeconds) s; its worker was ended\(place)")
        case .withdrawn:
            return AttachmentError(.cancelled, file: file, reason: "it was withdrawn")
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
    /// In seconds, for people.
    var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
