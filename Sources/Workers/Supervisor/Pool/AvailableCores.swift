import Foundation

/// Cores that this process may use.
public enum AvailableCores {
    /// Running cores of the process's affinity, or whole cores of the quota of its control groups if
    /// less; at least 1.
    ///
    /// Quotas are read of version 2 of control groups.
    public static func current() -> Int {
        let quotas = ControlGroupMount.ofThisProcess.filter { $0.version == .v2 }.flatMap {
            AvailableMemory.above($0.folder).compactMap { folder in
                KernelFile.text("\(folder)/cpu.max").flatMap { wholeCores(ofQuota: $0) }
            }
        }
        let affinity = KernelFile.text("/proc/self/status").flatMap(cores(inStatus:))
        return count(
            running: ProcessInfo.processInfo.activeProcessorCount, affinity: affinity,
            quotas: quotas)
    }

    /// `running` may leave out the affinity, and an affinity may have cores that a virtual machine
    /// could still get.
    static func count(running: Int, affinity: Int?, quotas: [Int]) -> Int {
        max(1, quotas.reduce(min(running, affinity ?? running), min))
    }

    /// Counts the bits of `Cpus_allowed` (proc_pid_status(5)); nil without it.
    static func cores(inStatus text: String) -> Int? {
        let name = "Cpus_allowed:"
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
            return nil
        }
        return line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
    }

    /// Reads `cpu.max` (Linux, admin-guide/cgroup-v2, "CPU Interface Files"): microseconds in each
    /// period; nil for `max`.
    static func wholeCores(ofQuota text: String) -> Int? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), period > 0
        else { return nil }
        return quota / period
    }
}
