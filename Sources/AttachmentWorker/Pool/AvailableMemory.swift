public import AttachmentContainer
public import AttachmentPlanning
import Foundation

/// The memory that new processes can have without anything being pushed out.
public enum AvailableMemory {
    /// What is available now, to the whole system or to this process's control groups if that is
    /// less.
    ///
    /// - Returns: The memory; nil when the system does not say.
    public static func current() -> ByteCount? {
        let groups = ControlGroupMount.all(
            mounts: KernelFile.text("/proc/self/mountinfo") ?? "",
            groups: KernelFile.text("/proc/self/cgroup") ?? "")
        let limits = groups.flatMap { group in
            switch group.version {
            // The limits of the groups above count as well; version 1 says what comes of them all.
            case .v1:
                [
                    KernelFile.number(
                        after: "hierarchical_memory_limit", in: "\(group.folder)/memory.stat")
                ]
            case .v2:
                above(group.folder).map { KernelFile.number("\($0)/memory.max") }
            }
        }.compactMap { $0 }
        guard let system = systemAvailable() else { return nil }
        return ByteCount(([system] + limits).reduce(.max, min))
    }

    /// How many workers there is room for.
    ///
    /// - Parameters:
    ///   - cap: What each may take.
    ///   - cores: How many can work at the same time.
    ///   - available: The memory that there is; nil when it is not known.
    /// - Returns: At most one a core, and as many as fit; at least 1.
    public static func workers(under cap: MemoryCap, cores: Int, in available: ByteCount?) -> Int {
        guard let available else { return max(1, cores) }
        return max(1, min(cores, available.bytes / max(1, cap.footprint.bytes)))
    }

    /// A group's folder and all above it; those that are no groups have no limit to read.
    private static func above(_ folder: String) -> [String] {
        let names = folder.split(separator: "/")
        return names.indices.map { "/" + names[...$0].joined(separator: "/") }
    }

    private static func systemAvailable() -> Int? {
        #if os(Linux)
            KernelFile.text("/proc/meminfo")?.split(separator: "\n").lazy.compactMap { line in
                let words = line.split(separator: " ")
                return words.first == "MemAvailable:" && words.count > 1
                    ? Int(words[1]).map { $0 << 10 } : nil
            }.first
        #else
            nil
        #endif
    }
}
