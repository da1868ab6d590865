internal import AttachmentContainer
internal import AttachmentFootprint

/// The memory of other processes, where the system shows it without rights to them: on Linux.
enum ProcessMemory {
    /// The anonymous memory of a process, at the cost of one small read.
    ///
    /// - Parameter process: Its identifier.
    /// - Returns: The memory; nil when there is no such process, or it has ended.
    static func resident(of process: Int32) -> ByteCount? {
        #if os(Linux)
            Footprint.resident(of: process)
        #else
            nil
        #endif
    }

    /// The highest resident set that a process has had.
    ///
    /// - Parameter process: Its identifier.
    /// - Returns: The kernel's mark; nil when there is no such process.
    static func highWaterMark(of process: Int32) -> ByteCount? {
        #if os(Linux)
            ProcessStatus(of: "\(process)")?.highWaterMark
        #else
            nil
        #endif
    }
}
