internal import AttachmentContainer
internal import Foundation

/// Allocation-free sampling of a process's memory.
struct FootprintSampler: Sendable {
    /// In bytes.
    struct Sample {
        let footprint: Int
        /// Resident file-backed pages; 0 on systems that do not report them.
        let fileBacked: Int
    }

    #if os(Linux)
        /// `/proc/PID/statm`, a tenth of the cost of `status`; -1 if it cannot be opened.
        private let statm: Descriptor

        init(process: String = "self") { statm = Descriptor(ofStatmOf: process) }

        func resetHighWaterMark() {
            // "5" resets the peak resident set size (proc(5)).
            _ = pwrite(OwnProcessFiles.clearReferences, "5", 1, 0)
        }

        /// Peak resident memory of all kinds plus current swap, in bytes, since the last reset.
        func highWaterMark() -> Int? {
            ProcessStatus(of: "self").map { $0.highWaterMark.bytes + $0.swapped.bytes }
        }

        // `statm` counts shared memory with file-backed pages. This process uses none; `Footprint`
        // would show it.
        func sample() -> Sample? {
            // Seven numbers of at most twenty digits.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { buffer in
                let count = pread(statm.number, buffer.baseAddress, buffer.count, 0)
                guard count > 0 else { return nil }
                // The second and the third number.
                var (field, resident, shared) = (0, 0, 0)
                for byte in buffer[..<count] {
                    if byte == UInt8(ascii: " ") {
                        field += 1
                        if field > 2 { break }
                        continue
                    }
                    let digit = Int(byte) - 48
                    switch field {
                    case 1: resident = resident * 10 + digit
                    case 2: shared = shared * 10 + digit
                    default: break
                    }
                }
                let page = Int(sysconf(Int32(_SC_PAGESIZE)))
                return Sample(footprint: (resident - shared) * page, fileBacked: shared * page)
            }
        }

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
