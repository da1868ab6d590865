import Foundation

/// The system's cache of file pages, for tests and measurements of cold starts.
package enum PageCache {
    private static let control = "/proc/sys/vm/drop_caches"

    /// True if this process may drop the cache: root, where `/proc/sys` is writable.
    package static let isDroppable = access(control, W_OK) == 0

    /// Writes out dirty pages, then drops all pages, directories and inodes that are not in use.
    ///
    /// Mapped pages stay (`Documentation/admin-guide/sysctl/vm.rst` of the kernel).
    package static func drop() throws {
        sync()
        try Data("3".utf8).write(to: URL(fileURLWithPath: control))
    }

    /// Writes out a file's pages and evicts them.
    ///
    /// False if `isCached` still holds after a second, as for a file system in memory. The kernel may
    /// ignore one request: pages that another processor still has in hand stay
    /// (`invalidate_mapping_pages`).
    package static func evict(_ descriptor: CInt, isCached: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(1)
        repeat {
            _ = fsync(descriptor)
            _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            if !isCached() { return true }
            usleep(1000)
        } while ContinuousClock.now < end
        return false
    }
}

/// Read-ahead of the disk that has a file.
package struct DiskReadAhead: Sendable {
    private let file: URL

    /// Nil if the file's volume has no disk of its own, or the system does not tell.
    package init?(ofDiskOf path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // Numbers of the device (makedev(3) of glibc).
        let device = UInt64(status.st_dev)
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        let folder = "/sys/dev/block/\(major):\(minor)"
        // A partition has the queue of its disk.
        let files = ["", "/.."].map { "\(folder)\($0)/queue/read_ahead_kb" }
        guard let found = files.first(where: { access($0, R_OK) == 0 }) else { return nil }
        file = URL(fileURLWithPath: found)
    }

    /// In kilobytes; nil if unreadable.
    package var kilobytes: Int? {
        (try? String(contentsOf: file, encoding: .utf8)).flatMap {
            Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    /// True if this process may change it.
    package var isWritable: Bool { access(file.path, W_OK) == 0 }

    /// Sets the read-ahead during `body`, and restores the previous one.
    package func with<Value>(
        kilobytes: Int, _ body: () async throws -> Value
    ) async throws -> Value {
        let previous = try String(contentsOf: file, encoding: .utf8)
        try Data("\(kilobytes)".utf8).write(to: file)
        defer { try? Data(previous.utf8).write(to: file) }
        return try await body()
    }
}
