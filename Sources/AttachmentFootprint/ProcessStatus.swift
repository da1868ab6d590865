#if os(Linux)
    public import AttachmentContainer
    internal import Foundation

    /// The memory of a process as the kernel counts it, from `/proc/PID/status` (proc(5)).
    public struct ProcessStatus: Sendable, Hashable {
        /// Anonymous pages in memory.
        public let anonymous: ByteCount
        /// Pages of files in memory; they can be taken back.
        public let fileBacked: ByteCount
        /// Pages of shared memory.
        public let shared: ByteCount
        /// Anonymous pages that were swapped out.
        public let swapped: ByteCount
        /// The most pages of all kinds that were in memory at once since the mark was reset.
        public let highWaterMark: ByteCount
        /// Private writable mappings, touched or not: what `RLIMIT_DATA` bounds.
        public let data: ByteCount

        /// What the system kills for.
        public var footprint: ByteCount {
            ByteCount(anonymous.bytes + shared.bytes + swapped.bytes)
        }

        /// Reads the status of a process.
        ///
        /// - Parameter process: Its identifier, or `self`; nil results when there is no such
        ///   process, or it has ended.
        public init?(of process: String) {
            guard let text = Self.status(of: process) else { return nil }
            var kibibytes: [Substring: Int] = [:]
            for line in text.split(separator: "\n") where line.hasSuffix(" kB") {
                let words = line.split(whereSeparator: { $0 == ":" || $0 == " " || $0 == "\t" })
                if words.count == 3 { kibibytes[words[0]] = Int(words[1]) }
            }
            // A process that has ended and was not waited for has a status without memory.
            guard let anonymous = kibibytes["RssAnon"] else { return nil }
            let bytes = { (field: Substring) in ByteCount((kibibytes[field] ?? 0) << 10) }
            self.anonymous = ByteCount(anonymous << 10)
            fileBacked = bytes("RssFile")
            shared = bytes("RssShmem")
            swapped = bytes("VmSwap")
            highWaterMark = bytes("VmHWM")
            data = bytes("VmData")
        }

        /// Reads a status, which comes whole in one read or not at all.
        private static func status(of process: String) -> String? {
            guard process != "self" else { return contents(of: OwnProcessFiles.status) }
            let descriptor = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return contents(of: descriptor)
        }

        private static func contents(of descriptor: CInt) -> String? {
            // A status has 1.5 kB.
            let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
                count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
