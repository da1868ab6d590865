import Foundation
import WorkerProtocol

#if os(Linux)
    import CEscapes
#endif

/// Compromised decoder: enters a worker's sandbox and then tries to escape.
///
/// Arguments: a mode, a folder, optionally a Landlock version to assume, and optionally `transfers`
/// for the sandbox of a transfer process. Prints the result of each attempt as JSON: 0 on success,
/// otherwise an error number.
@main
struct SandboxEscapes {
    struct Findings: Encodable {
        var report: SandboxReport?
        var refusal: String?
        var escapes: [String: CInt] = [:]
        var duties: [String: CInt] = [:]
        var milliseconds = 0.0
        var anonymousBefore = 0
        var anonymousAfter = 0
    }

    static func main() throws {
        #if os(Linux)
            let arguments = CommandLine.arguments
            guard arguments.count > 2, let mode = SandboxMode(rawValue: arguments[1]) else {
                exit(64)
            }
            let playground = Playground(arguments[2])
            var policy = SandboxPolicy()
            policy.mode = mode
            policy.landlockVersion = arguments.dropFirst(3).first.flatMap { Int($0) }
            let isTransfer = arguments.last == "transfers"
            if isTransfer {
                policy.work = .transfers
                policy.readablePaths = ["\(playground.outside)/readable", "/etc/hosts"]
                policy.ports = [443]
            }
            var findings = Findings()
            findings.anonymousBefore = anonymousKilobytes()
            let memory = open("/proc/self/status", O_RDONLY)
            // Kept, like a worker's own descriptors.
            policy.descriptors = [memory, playground.input, playground.output]
            let start = processorMilliseconds
            do throws(SandboxError) {
                findings.report = try Sandbox.enter(policy)
            } catch {
                findings.report = error.report
                findings.refusal = "\(error)"
            }
            findings.milliseconds = processorMilliseconds - start
            findings.anonymousAfter = anonymousKilobytes(memory)
            if findings.refusal == nil {
                for duty in isTransfer ? Duty.all + Duty.transfers : Duty.all {
                    findings.duties[duty.name] = duty.perform(playground)
                }
                let escapes =
                    Escape.paths + Escape.network + Escape.kernel + Escape.processes
                    + (isTransfer ? Escape.transfers : [])
                for escape in escapes where mode != .off || escape.isHarmless {
                    findings.escapes[escape.name] = escape.attempt(playground)
                }
            }
            try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(findings))
        #endif
    }

    #if os(Linux)
        /// Processor time of this process so far, without other processes.
        private static var processorMilliseconds: Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }

        /// Anonymous memory of this process, in kB.
        private static func anonymousKilobytes(_ open: CInt? = nil) -> Int {
            let descriptor = open ?? Foundation.open("/proc/self/status", O_RDONLY)
            var bytes = [UInt8](repeating: 0, count: 8192)
            let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
            let text = String(decoding: bytes[..<count], as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
    #endif
}
