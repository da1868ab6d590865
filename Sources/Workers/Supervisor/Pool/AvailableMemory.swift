public import AttachmentContainer
public import AttachmentModel
import Foundation

/// Memory available to new processes without swapping.
public enum AvailableMemory {
    /// Memory available to the system, or to this process's control groups if less.
    public static func current() -> ByteCount? {
        let limits = ControlGroupMount.ofThisProcess.flatMap { group in
            switch group.version {
            // Limits of parent groups count too. Version 1 reports their minimum.
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

    /// Number of workers for a machine, at least 1: one per core, if memory allows.
    public static func workers(under cap: MemoryCap, cores: Int, in available: ByteCount?) -> Int {
        guard let available else { return max(1, cores) }
        return max(1, min(cores, available.bytes / max(1, cap.footprint.bytes)))
    }

    /// A group's folder and its parents; those that are not groups have no limit file.
    static func above(_ folder: String) -> [String] {
        let names = folder.split(separator: "/")
        return names.indices.map { "/" + names[...$0].joined(separator: "/") }
    }

    private static func systemAvailable() -> Int? {
        #if os(Linux)
            KernelFile.number(after: "MemAvailable:", in: "/proc/meminfo").map { $0 << 10 }
        #else
            nil
        #endif
    }
}
