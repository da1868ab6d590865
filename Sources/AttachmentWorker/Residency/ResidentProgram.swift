import AttachmentContainer
import AttachmentPublishing
import Foundation
import Subprocess

/// Keeps a program and its libraries in the page cache, charged to this process's control group.
///
/// The kernel charges a page of a file to the group that reads it first. Under a small cap, a worker
/// that reads its own libraries evicts one with the next: with a read-ahead of 8 MiB, each fault
/// reads 8 MiB, and a start with a cold cache takes half a minute. Pages that this process reads
/// count elsewhere, and the worker's group cannot evict them.
actor ResidentProgram {
    /// Time during which the pages are assumed to stay: 0.4 ms of work each time for 34 MB.
    private static let interval = Duration.milliseconds(250)

    private let executable: String
    private let environment: [Environment.Key: String]
    private var files: ResidentFiles?
    private var running: Task<Void, Never>?
    private var last: ContinuousClock.Instant?

    init(_ executable: String, environment: [Environment.Key: String]) {
        self.executable = executable
        self.environment = environment
    }

    /// Requests all missing pages, unless that has just been done.
    ///
    /// It does not wait for the disk: whoever needs a requested page waits for it, in any group.
    func request() async {
        if let running { return await running.value }
        if let last, .now - last < Self.interval { return }
        let task = Task { await requestMissing() }
        running = task
        await task.value
        running = nil
        last = .now
    }

    private func requestMissing() async {
        let files: ResidentFiles
        if let known = self.files {
            files = known
        } else {
            // Reads the largest file while the dynamic linker finds the others.
            let executable = executable
            async let program: Void = BlockingWork.run {
                ResidentFiles.request([executable], atMost: .max)
            }
            let found = await ProgramFiles.found(of: executable, environment: environment)
            await program
            files = ResidentFiles(found)
            self.files = files
        }
        await BlockingWork.run { files.request() }
    }
}

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

    private static func request(_ descriptor: CInt, _ offset: Int) {
        #if os(Linux)
            // Best effort: a file system without a page cache needs none.
            _ = posix_fadvise(descriptor, off_t(offset), off_t(stretch), POSIX_FADV_WILLNEED)
        #endif
    }
}
