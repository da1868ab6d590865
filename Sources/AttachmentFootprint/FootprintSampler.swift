internal import AttachmentContainer
internal import Foundation

/// One quick look at a process's memory, without allocating.
struct FootprintSampler: Sendable {
    /// What one look sees, in bytes.
    struct Sample {
        let footprint: Int
        /// Pages of files in memory; 0 where they are not counted.
        let fileBacked: Int
    }

    #if os(Linux)
        /// `/proc/PID/statm`, which costs a tenth of `status`; -1 where it cannot be opened.
        private let statm: Descriptor

        /// Opens what it looks at.
        ///
        /// - Parameter process: The identifier of a process. The default is this one.
        init(process: String = "self") { statm = Descriptor(ofStatmOf: process) }

        /// Resets the kernel's high-water mark, where that is allowed.
        func resetHighWaterMark() {
            // "5" resets the mark of the memory that is in use at most (proc(5)).
            _ = pwrite(OwnProcessFiles.clearReferences, "5", 1, 0)
        }

        /// The most pages of all kinds since the mark was reset, in bytes.
        func highWaterMark() -> Int? {
            ProcessStatus(of: "self").map { $0.highWaterMark.bytes + $0.swapped.bytes }
        }

        /// Looks once.
        ///
        /// `statm` counts pages of shared memory with those of files. This process uses none; what
        /// there is of it shows in ``Footprint``.
        func sample() -> Sample? {
            // Seven numbers of at most twenty digits.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { buffer in
                let count = pread(statm.number, buffer.baseAddress, buffer.count, 0)
                guard count > 0 else { return nil }
                var fields = (0, 0, 0)
                var field = 0
                for byte in buffer[..<count] {
                    if byte == UInt8(ascii: " ") {
                        field += 1
                        if field > 2 { break }
                        continue
                    }
                    let digit = Int(byte) - 48
                    switch field {
                    case 0: fields.0 = fields.0 * 10 + digit
                    case 1: fields.1 = fields.1 * 10 + digit
                    default: fields.2 = fields.2 * 10 + digit
                    }
                }
                let page = Int(sysconf(Int32(_SC_PAGESIZE)))
                return Sample(
                    footprint: (fields.1 - fields.2) * page, fileBacked: fields.2 * page)
            }
        }

        /// An open file that is closed with the last copy of the sampler.
        private final class Descriptor: Sendable {
            let number: CInt

            init(ofStatmOf process: String) {
                number =
                    process == "self"
                    ? fcntl(OwnProcessFiles.statm, F_DUPFD_CLOEXEC, 0)
                    : open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
            }

            deinit { if number >= 0 { close(number) } }
        }
    #else
        func resetHighWaterMark() {}

        func highWaterMark() -> Int? { nil }

        func sample() -> Sample? {
            TaskMemory.current().map { Sample(footprint: $0.footprint.bytes, fileBacked: 0) }
        }
    #endif
}
