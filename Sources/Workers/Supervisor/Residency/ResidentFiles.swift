import AttachmentContainer
import CSystemCalls
import Foundation

/// Files whose pages are requested together.
struct ResidentFiles: Sendable {
    /// Length of one request, in bytes, within the kernel's limit for each: the read-ahead of the
    /// disk, 128 KiB by default (`force_page_cache_ra`).
    private static let stretch = 128 << 10
    /// A slow disk must not use up the time of an attachment.
    private static let longest = Duration.seconds(5)

    private let paths: [String]
    private let limit: Int

    init(_ files: ProgramFiles) {
        paths = files.paths
        // In a small container, more would evict pages of all its processes.
        limit = AvailableMemory.current().map { $0.bytes / 2 } ?? .max
    }

    /// Requests missing pages; resident ones cost 10 ns each.
    func request() { Self.request(paths, atMost: limit) }

    static func request(_ paths: [String], atMost limit: Int) {
        let end = ContinuousClock.now + longest
        var left = limit
        for path in paths where ContinuousClock.now < end {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_size <= left else { continue }
            left -= Int(status.st_size)
            for offset in stride(from: 0, to: Int(status.st_size), by: stretch) {
                guard ContinuousClock.now < end else { return }
                request(descriptor, offset)
            }
        }
    }

    /// True if all of the file seems to be in the page cache, by one page in 16: 0.1 ms for 17 MB.
    ///
    /// Unlike mincore(2), reading needs no write access.
    static func isCached(_ path: String) -> Bool {
        #if os(Linux)
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return false }
            return stride(from: 0, to: Int(status.st_size), by: 64 << 10).allSatisfy {
                thimble_is_cached(descriptor, off_t($0))
            }
        #else
            return false
        #endif
    }

    private static func request(_ descriptor: CInt, _ offset: Int) {
        #if os(Linux)
            // Best effort: a file system without a page cache needs none.
            _ = posix_fadvise(descriptor, off_t(offset), off_t(stretch), POSIX_FADV_WILLNEED)
        #endif
    }
}
