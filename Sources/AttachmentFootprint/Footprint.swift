public import AttachmentContainer
internal import Foundation

/// What the system kills a process for.
///
/// On Linux it is anonymous memory, shared memory and swap (`RssAnon`, `RssShmem` and `VmSwap` of
/// proc(5)); on Apple's systems `phys_footprint`. Pages of files are not in it: the system can take
/// them back at any time.
public enum Footprint {
    /// The footprint of this process.
    ///
    /// - Returns: The footprint; nil when the system does not say.
    public static func current() -> ByteCount? {
        #if canImport(Darwin)
            return TaskMemory.current()?.footprint
        #else
            return ProcessStatus(of: "self")?.footprint
        #endif
    }

    /// Opens what this process reads about itself, before a sandbox forbids to open anything.
    ///
    /// - Returns: The descriptors, which must stay open.
    package static func openFiles() -> [Int32] {
        #if os(Linux)
            OwnProcessFiles.all.filter { $0 >= 0 }
        #else
            []
        #endif
    }

    #if os(Linux)
        /// The footprint of another process.
        ///
        /// - Parameter process: Its identifier.
        /// - Returns: The footprint; nil when there is no such process, or it is not ours to look
        ///   at.
        public static func current(of process: Int32) -> ByteCount? {
            ProcessStatus(of: "\(process)")?.footprint
        }

        /// The resident part of another process's footprint, at a tenth of the cost: for looking
        /// often.
        ///
        /// Swap is not in it, nor is shared memory, which `statm` counts with the pages of files.
        ///
        /// - Parameter process: Its identifier.
        /// - Returns: The anonymous pages in memory; nil when there is no such process, or it has
        ///   ended.
        public static func resident(of process: Int32) -> ByteCount? {
            let statm = FootprintSampler(process: "\(process)")
            guard let sample = statm.sample(), sample.footprint + sample.fileBacked > 0 else {
                return nil
            }
            return ByteCount(sample.footprint)
        }
    #endif
}
