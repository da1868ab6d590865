import Foundation

/// This process and its children, which are the workers.
enum ProcessTree {
    /// Time on processors of all their threads, in milliseconds (proc(5), `schedstat`).
    static func processorTime() -> Double {
        let own = getpid()
        return ([own] + children(of: own)).reduce(0) { $0 + processorTime(of: $1) }
    }

    private static func children(of process: pid_t) -> [pid_t] {
        names("/proc").compactMap { pid_t($0) }.filter { parent(of: $0) == process }
    }

    private static func parent(of process: pid_t) -> pid_t? {
        guard let text = text("/proc/\(process)/stat") else { return nil }
        // The name, in parentheses, may have spaces; state and parent follow.
        let rest = text[text.index(after: text.lastIndex(of: ")") ?? text.startIndex)...]
        return rest.split(separator: " ").dropFirst().first.flatMap { pid_t($0) }
    }

    private static func processorTime(of process: pid_t) -> Double {
        names("/proc/\(process)/task").reduce(0) { sum, thread in
            let text = text("/proc/\(process)/task/\(thread)/schedstat")
            let nanoseconds = text?.split(separator: " ").first.flatMap { Double($0) }
            return sum + (nanoseconds ?? 0) / 1e6
        }
    }

    private static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func text(_ file: String) -> String? {
        try? String(contentsOfFile: file, encoding: .utf8)
    }
}
