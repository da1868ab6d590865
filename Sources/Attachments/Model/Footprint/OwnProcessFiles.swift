#if os(Linux)
    internal import Foundation

    /// Opened once: a sandbox forbids opening them later, and reading takes half as long.
    struct OwnProcessFiles: Sendable {
        static let mappings = open("smaps", O_RDONLY)
        static let status = open("status", O_RDONLY)
        static let statm = open("statm", O_RDONLY)
        static let clearReferences = open("clear_refs", O_WRONLY)

        static var all: [CInt] { [mappings, status, statm, clearReferences] }

        private static func open(_ name: String, _ flags: CInt) -> CInt {
            Foundation.open("/proc/self/\(name)", flags | O_CLOEXEC)
        }
    }
#endif
