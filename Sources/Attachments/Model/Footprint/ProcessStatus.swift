#if os(Linux)
    public import AttachmentContainer
    internal import Foundation

    /// Memory of a process by kind, from `/proc/PID/status` (proc(5)).
    public struct ProcessStatus: Sendable, Hashable {
        /// Resident anonymous pages.
        public let anonymous: ByteCount
        /// Resident file-backed pages, which the system can reclaim.
        public let fileBacked: ByteCount
        /// Shared memory pages.
        public let shared: ByteCount
        /// Swapped-out anonymous pages.
        public let swapped: ByteCount
        /// Peak resident memory of all kinds since the mark was reset.
        public let highWaterMark: ByteCount
        /// Private writable mappings, touched or not; `RLIMIT_DATA` bounds them.
        public let data: ByteCount

        /// Memory that counts toward the process's cap.
        public var footprint: ByteCount {
            ByteCount(anonymous.bytes + shared.bytes + swapped.bytes)
        }

        /// Reads the status of a process or of `self`; nil if it does not exist or has exited.
        public init?(of process: String) {
            guard let text = Self.status(of: process) else { return nil }
            var kibibytes: [Substring: Int] = [:]
            for line in text.split(separator: "\n") where line.hasSuffix(" kB") {
                let words = line.split(whereSeparator: { $0 == ":" || $0 == " " || $0 == "\t" })
                if words.count == 3 { kibibytes[words[0]] = Int(words[1]) }
            }
            // A zombie's status has no memory fields.
            guard let anonymous = kibibytes["RssAnon"] else { return nil }
            let bytes = { (field: Substring) in ByteCount((kibibytes[field] ?? 0) << 10) }
            self.anonymous = ByteCount(anonymous << 10)
            fileBacked = bytes("RssFile")
            shared = bytes("RssShmem")
            swapped = bytes("VmSwap")
            highWaterMark = bytes("VmHWM")
            data = bytes("VmData")
        }

        // One read returns the whole status.
        private static func status(of process: String) -> String? {
            guard process != "self" else { return contents(of: OwnProcessFiles.status) }
            let descriptor = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return contents(of: descriptor)
        }

        private static func contents(of descriptor: CInt) -> String? {
            // A status is about 1.5 kB long.
            let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
                count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
