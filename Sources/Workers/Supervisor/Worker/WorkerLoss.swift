import AttachmentContainer
import AttachmentModel
import Foundation
import Subprocess
import WorkerProtocol

struct WorkerLoss: Error, Sendable {
    enum Cause: Sendable, Hashable {
        case memory
        /// Another process killed it, possibly the system for lack of memory.
        case killed
        /// The worker exited by itself; the text describes the exit.
        case crashed(String)
        case late
        /// The supervisor killed it because its work was cancelled.
        case withdrawn
        /// The worker ended: its decoder takes more memory than the header explains.
        case decoder
        /// The worker could not start working.
        case unable(Fault)
        /// The supervisor killed it for a protocol violation; the text describes it.
        case breach(String)
    }

    let cause: Cause
    var started: WorkerStarted?
    /// True if the worker was never ready.
    var isAtStart = false
    var output = ""

    static func cause(of status: TerminationStatus?, wasOverCap: Bool, isLimited: Bool) -> Cause {
        if wasOverCap { return .memory }
        switch status {
        case .exited(MemoryExhaustion.exitCode) where isLimited: return .memory
        case .exited(MemoryExhaustion.decoderExitCode): return .decoder
        case .signaled(SIGKILL): return .killed
        case .signaled(let signal): return .crashed("it was killed by signal \(signal)")
        case .exited(let code): return .crashed("it exited with code \(code)")
        case nil: return .crashed("it could not be started")
        }
    }
}

extension WorkerLoss {
    func error(for file: String, cap: HardCap, timeout: Duration) -> AttachmentError {
        let rung = started.map {
            " on the rung \($0.rung.rawValue), predicted to peak at \($0.predictedPeak)"
        }
        let place = rung ?? " before decoding began"
        let (code, reason): (AttachmentError.Code, String) =
            switch cause {
            case .memory where isAtStart:
                (
                    .overCap,
                    "the worker that it needs exceeds the cap of \(cap.cap) "
                        + "(\(cap.mechanism.rawValue)) by itself"
                )
            case .memory:
                (
                    .killed,
                    "its worker exceeded the cap of \(cap.cap) (\(cap.mechanism.rawValue))" + place
                )
            case .killed:
                (
                    .killed,
                    "its worker was killed by another process, perhaps by the system for lack of "
                        + "memory," + place
                )
            case .decoder:
                (
                    .decoderLimit,
                    "its frames take more memory than its header states, which its decoder cannot be "
                        + "refused"
                )
            case .crashed(let how): (.crashed, "its worker crashed\(place): \(how)")
            case .late:
                (.late, "it took more than \(timeout.inSeconds) s; its worker was killed\(place)")
            case .withdrawn: (.cancelled, "it was cancelled")
            case .unable(let fault): (.service, "its worker cannot work: \(fault.reason)")
            case .breach(let how): (.crashed, "its worker broke the protocol\(place): \(how)")
            }
        let isPrinted = cause != .late && cause != .withdrawn
        let detail = isPrinted ? output : ""
        guard case .unable(let fault) = cause else {
            return AttachmentError(code, file: file, reason: reason, detail: detail)
        }
        return AttachmentError(code, file: file, fault.with(reason: reason), detail: detail)
    }
}

extension Duration {
    var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
