internal import AttachmentContainer
internal import AttachmentModel

/// Memory of other processes.
///
/// Available on Linux, where reading it needs no privileges.
enum ProcessMemory {
    /// Anonymous memory of a process, by one short read.
    ///
    /// Nil if it has exited.
    static func resident(of process: Int32) -> ByteCount? {
        #if os(Linux)
            Footprint.resident(of: process)
        #else
            nil
        #endif
    }

    /// Highest resident set of a process; nil if it has exited.
    static func highWaterMark(of process: Int32) -> ByteCount? {
        #if os(Linux)
            ProcessStatus(of: "\(process)")?.highWaterMark
        #else
            nil
        #endif
    }
}
