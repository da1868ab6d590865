public import AttachmentContainer
internal import Foundation

#if canImport(Darwin) && !os(macOS)
    internal import os
#endif

/// Process footprint, the memory figure that the system enforces limits on.
///
/// On Linux: anonymous memory, shared memory and swap (`RssAnon`, `RssShmem` and `VmSwap` of
/// proc(5)). On Apple platforms: `phys_footprint`. File-backed pages are excluded: they can be
/// reclaimed.
public enum Footprint {
    /// Footprint of this process; nil when the system does not report it.
    public static func current() -> ByteCount? {
        #if canImport(Darwin)
            return TaskMemory.current()?.footprint
        #else
            return ProcessStatus(of: "self")?.footprint
        #endif
    }

    /// Memory that this process may still allocate before the system kills it; nil where no limit
    /// is in force, or the system does not report it.
    ///
    /// `os_proc_available_memory()` on iOS and visionOS: the limit less the footprint, advisory and
    /// different after every allocation. Nil on Linux and macOS.
    public static func remaining() -> ByteCount? {
        #if canImport(Darwin) && !os(macOS)
            let bytes = os_proc_available_memory()
            // 0 for a process without a limit, such as in the simulator, and for one at its limit.
            return bytes > 0 ? ByteCount(bytes) : nil
        #else
            return nil
        #endif
    }

    /// Opens this process's own `/proc` files before a sandbox forbids it; they must stay open.
    package static func openFiles() -> [Int32] {
        #if os(Linux)
            OwnProcessFiles.all.filter { $0 >= 0 }
        #else
            []
        #endif
    }

    #if os(Linux)
        /// Footprint of another process; nil when it does not exist or access is denied.
        public static func current(of process: Int32) -> ByteCount? {
            ProcessStatus(of: "\(process)")?.footprint
        }

        /// Resident anonymous memory of another process, for frequent polling; nil when it has
        /// exited.
        ///
        /// It costs a tenth of ``current(of:)``, and excludes swap and shared memory.
        public static func resident(of process: Int32) -> ByteCount? {
            let statm = FootprintSampler(process: "\(process)")
            guard let sample = statm.sample(), sample.footprint + sample.fileBacked > 0 else {
                return nil
            }
            return ByteCount(sample.footprint)
        }
    #endif
}
