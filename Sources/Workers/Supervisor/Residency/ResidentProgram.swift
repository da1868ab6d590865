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
    private var listing: Task<Void, Never>?
    private var running: Task<Void, Never>?
    private var last: ContinuousClock.Instant?

    init(_ executable: String, environment: [Environment.Key: String]) {
        self.executable = executable
        self.environment = environment
    }

    /// Requests all missing pages, unless they have just been requested.
    ///
    /// Does not wait for the disk: a process that needs a requested page waits for it, in any
    /// group.
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
        if let files { return await BlockingWork.run { files.request() } }
        let executable = executable
        let isCached = await BlockingWork.run { ResidentFiles.isCached(executable) }
        if listing == nil { listing = Task { await list() } }
        // Otherwise the libraries probably are cached too, and are listed while the worker starts.
        guard !isCached else { return }
        // Reads the largest file while the dynamic linker finds the others.
        await BlockingWork.run { ResidentFiles.request([executable], atMost: .max) }
        await listing?.value
    }

    private func list() async {
        let found = ResidentFiles(
            await ProgramFiles.found(of: executable, environment: environment))
        files = found
        await BlockingWork.run { found.request() }
    }
}
