import Foundation
import ProcessSandbox

#if os(Linux)
    import CEscapes
#endif

/// A decoder that was taken over: it enters the sandbox of a worker and then tries to get out.
///
/// It is given a mode, a folder and perhaps a version of Landlock that the kernel is taken to have,
/// and prints what came of each attempt as JSON: 0 when the system did it, else the number of the
/// error.
@main
struct SandboxEscapes {
    /// What is printed.
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
            var findings = Findings()
            findings.anonymousBefore = anonymousKilobytes()
            let memory = open("/proc/self/status", O_RDONLY)
            // Kept like the supervisor's own descriptors.
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
                for duty in Duty.all { findings.duties[duty.name] = duty.perform(playground) }
                let escapes = Escape.paths + Escape.network + Escape.kernel + Escape.processes
                for escape in escapes where mode != .off || escape.isHarmless {
                    findings.escapes[escape.name] = escape.attempt(playground)
                }
            }
            try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(findings))
        #endif
    }

    #if os(Linux)
        /// The processor time of this process so far: other processes do not count.
        private static var processorMilliseconds: Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }

        /// The anonymous memory of this process, in kB.
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
