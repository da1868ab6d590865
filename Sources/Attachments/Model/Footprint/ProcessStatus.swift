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
            guard let status = Self.status(of: process) else { return nil }
            let bytes = { (field: StaticString) in
                Self.kibibytes(field, of: status).map { ByteCount($0 << 10) }
            }
            // A zombie's status has no memory fields.
            guard let anonymous = bytes("RssAnon:") else { return nil }
            self.anonymous = anonymous
            fileBacked = bytes("RssFile:") ?? ByteCount(0)
            shared = bytes("RssShmem:") ?? ByteCount(0)
            swapped = bytes("VmSwap:") ?? ByteCount(0)
            highWaterMark = bytes("VmHWM:") ?? ByteCount(0)
            data = bytes("VmData:") ?? ByteCount(0)
        }

        /// The number in the line that begins with a field; nil without such a line.
        ///
        /// Without strings, because workers read it several times for each attachment. The kernel escapes
        /// line breaks in the name of a process.
        private static func kibibytes(_ field: StaticString, of status: [UInt8]) -> Int? {
            status.withUnsafeBytes { status in
                guard var line = status.baseAddress else { return nil }
                let end = line + status.count
                while end - line > field.utf8CodeUnitCount {
                    if memcmp(line, field.utf8Start, field.utf8CodeUnitCount) == 0 {
                        return UnsafeRawBufferPointer(
                            start: line + field.utf8CodeUnitCount,
                            count: end - line - field.utf8CodeUnitCount
                        ).number
                    }
                    guard let lineBreak = memchr(line, 0x0A, end - line) else { return nil }
                    line = UnsafeRawPointer(lineBreak) + 1
                }
                return nil
            }
        }

        // One read returns the whole status.
        private static func status(of process: String) -> [UInt8]? {
            guard process != "self" else { return contents(of: OwnProcessFiles.status) }
            let descriptor = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return contents(of: descriptor)
        }

        private static func contents(of descriptor: CInt) -> [UInt8]? {
            // A status is about 1.5 kB long.
            let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
                count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
            }
            return bytes.isEmpty ? nil : bytes
        }
    }

    extension UnsafeRawBufferPointer {
        /// The decimal number after white space at the start; nil without a digit.
        fileprivate var number: Int? {
            var digits = drop { $0 == 0x20 || $0 == 0x09 }
                .prefix { 0x30...0x39 ~= $0 }
            guard !digits.isEmpty, digits.count < 19 else { return nil }
            var number = 0
            while let digit = digits.popFirst() { number = number * 10 + Int(digit - 0x30) }
            return number
        }
    }
#endif
