#if os(Linux)
    internal import AttachmentContainer
    internal import Foundation

    /// Mappings of a process by their limit, in bytes, from `/proc/PID/smaps` (proc(5)).
    struct MappedMemory: Hashable {
        /// Private writable mappings, as `RLIMIT_DATA` counts them.
        private(set) var data = 0
        /// Part of `data` inside the footprint.
        private(set) var touchedData = 0
        /// Static data of programs and libraries outside the footprint.
        private(set) var untouchedStatics = 0
        private(set) var stack = 0
        private(set) var touchedStack = 0
        /// Footprint in mappings that are no longer writable.
        private(set) var relocations = 0

        private enum Kind { case statics, data, stack, other }

        private struct Mapping {
            var kind = Kind.other
            var end: Substring = ""
        }

        init?(of process: String) {
            // Line by line: memory for the whole file would stay in the footprint.
            guard let file = Self.mappings(of: process) else { return nil }
            defer { fclose(file) }
            var line: UnsafeMutablePointer<CChar>?
            var capacity = 0
            defer { free(line) }
            var mapping = Mapping()
            while getline(&line, &capacity, file) > 0 {
                guard let line else { break }
                include(String(cString: line), &mapping)
            }
            guard data > 0 else { return nil }
        }

        private static func mappings(of process: String) -> UnsafeMutablePointer<FILE>? {
            guard process == "self" else { return fopen("/proc/\(process)/smaps", "re") }
            let descriptor = fcntl(OwnProcessFiles.mappings, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return nil }
            // The duplicate shares its position with earlier reads.
            lseek(descriptor, 0, SEEK_SET)
            guard let file = fdopen(descriptor, "r") else {
                close(descriptor)
                return nil
            }
            return file
        }

        init(text: String) {
            var mapping = Mapping()
            for line in text.split(separator: "\n") { include(String(line), &mapping) }
        }

        private mutating func include(_ line: String, _ mapping: inout Mapping) {
            let words = line.split { $0 == " " || $0 == "\n" }
            guard let first = words.first, words.count >= 2 else { return }
            guard first.hasSuffix(":") else {
                mapping = Self.mapping(words, after: mapping)
                return
            }
            let bytes = (Int(words[1]) ?? 0) << 10
            switch (first, mapping.kind) {
            case ("Size:", .statics):
                data += bytes
                untouchedStatics += bytes
            case ("Size:", .data): data += bytes
            case ("Size:", .stack): stack += bytes
            case ("Anonymous:", .statics), ("Swap:", .statics):
                touchedData += bytes
                untouchedStatics -= bytes
            case ("Anonymous:", .data), ("Swap:", .data): touchedData += bytes
            case ("Anonymous:", .stack), ("Swap:", .stack): touchedStack += bytes
            case ("Anonymous:", .other), ("Swap:", .other): relocations += bytes
            default: break
            }
        }

        /// Parses a mapping's first line: addresses, permissions, offset, device, inode and name.
        private static func mapping(_ words: [Substring], after last: Mapping) -> Mapping {
            let addresses = words[0].split(separator: "-")
            var mapping = Mapping(end: addresses.last ?? "")
            guard words.last != "[stack]" else {
                mapping.kind = .stack
                return mapping
            }
            guard words[1].hasPrefix("rw"), words[1].hasSuffix("p") else { return mapping }
            // A library's zeroed data directly follows its other data, without a name.
            let isStatic =
                words.count > 5
                ? words[5].hasPrefix("/") : last.kind == .statics && addresses.first == last.end
            mapping.kind = isStatic ? .statics : .data
            return mapping
        }
    }
#endif
