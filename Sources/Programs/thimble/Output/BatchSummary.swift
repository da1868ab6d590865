import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import WorkerProtocol

/// Running totals of the files of `thimble batch`.
struct BatchTotals {
    private(set) var made = 0
    private(set) var reused = 0
    private(set) var unchanged = 0
    private(set) var notPictures = 0
    private(set) var failed = 0
    private(set) var unreadableFolders = 0
    /// Attachments whose work was interrupted.
    private(set) var notDone = 0
    /// Attachments whose renditions were not published, out of the attachments with renditions.
    private(set) var notPublished = 0
    private(set) var published = 0
    /// Bytes of attachments with renditions only.
    private(set) var bytesBefore = ByteCount(0)
    private(set) var bytesAfter = ByteCount(0)
    private(set) var highestPeak: ByteCount?

    var files: Int { made + reused + unchanged + notPictures + failed }

    mutating func addNotDone() { notDone += 1 }

    mutating func add(_ result: BatchResult) {
        switch result.publication {
        case .success: published += 1
        case .failure: notPublished += 1
        case nil: break
        }
        switch result.outcome {
        case .done(let done):
            switch done.work {
            case .made: made += 1
            case .reused: reused += 1
            case .unchanged: unchanged += 1
            }
            bytesBefore = [bytesBefore, result.bytes].total
            bytesAfter = ([bytesAfter] + done.manifest.renditions.map(\.bytes)).total
            highestPeak = [highestPeak, done.memory.measuredPeak].compactMap { $0 }.max()
        case .notPicture: notPictures += 1
        case .failed: failed += 1
        case .unreadableFolder: unreadableFolders += 1
        }
    }
}

/// The summary of `thimble batch`, as text or as the last line of JSON.
struct BatchSummary: Encodable {
    let files: Int
    let made: Int
    let reused: Int
    let unchanged: Int
    let notPictures: Int
    let failed: Int
    /// Folders whose files are unknown; not among the files.
    let unreadableFolders: Int
    /// Nil if nothing was to be published.
    let published: Int?
    /// Attachments with unpublished renditions; nil if nothing was to be published.
    let notPublished: Int?
    /// Attachments interrupted or not begun.
    let notDone: Int
    let bytesBefore: ByteCount
    let bytesAfter: ByteCount
    let seconds: Double
    let container: String
    let cap: ByteCount
    let enforcement: Enforcement.Mechanism
    let sandbox: SandboxReport?
    let workersLost: Int
    let highestPeak: ByteCount?

    /// Attachments with a result.
    var attachments: Int { files - notPictures - notDone }

    /// True if an attachment or a folder failed, or was not published.
    var hasFailures: Bool { failed + unreadableFolders + (notPublished ?? 0) > 0 }

    init(
        _ totals: BatchTotals, notDone: Int, in container: SharedContainer, by pool: WorkerPool,
        elapsed: Duration
    ) {
        files = totals.files + notDone
        made = totals.made
        reused = totals.reused
        unchanged = totals.unchanged
        notPictures = totals.notPictures
        failed = totals.failed
        unreadableFolders = totals.unreadableFolders
        let isPublishing = totals.published + totals.notPublished > 0
        published = isPublishing ? totals.published : nil
        notPublished = isPublishing ? totals.notPublished : nil
        self.notDone = notDone
        bytesBefore = totals.bytesBefore
        bytesAfter = totals.bytesAfter
        seconds = elapsed.inSeconds
        self.container = container.root.path
        cap = pool.hardCap.cap.footprint
        enforcement = pool.hardCap.mechanism
        sandbox = pool.sandbox
        workersLost = pool.statistics.lost
        highestPeak = totals.highestPeak
    }

    func printText() {
        var counts = ["\(made) made"]
        if reused > 0 { counts.append("\(reused) reused") }
        if unchanged > 0 { counts.append("\(unchanged) unchanged") }
        if failed > 0 { counts.append("\(failed) failed") }
        if notPictures > 0 {
            counts.append(notPictures == 1 ? "1 not a picture" : "\(notPictures) not pictures")
        }
        if notDone > 0 { counts.append("\(notDone) not done") }
        let noun = files == 1 ? "file" : "files"
        TextOutput.print("\(files) \(noun): \(counts.joined(separator: ", "))")
        if unreadableFolders > 0 {
            TextOutput.print(
                unreadableFolders == 1
                    ? "1 folder could not be listed"
                    : "\(unreadableFolders) folders could not be listed")
        }
        if notDone > 0 {
            TextOutput.print("to go on, run the same command: finished files are skipped")
        }
        TextOutput.print(
            "\(bytesBefore) of attachments became \(bytesAfter) of renditions in "
                + "\(seconds.fixed(1)) s")
        TextOutput.print("container: \(container)")
        if let published, let notPublished {
            TextOutput.print(
                "\(published) published" + (notPublished > 0 ? ", \(notPublished) not" : ""))
        }
        if let highestPeak {
            TextOutput.print(
                "highest peak \(highestPeak) of the cap of \(MemoryCap(cap)) "
                    + "(\(enforcement.rawValue))")
        }
        if let sandbox { TextOutput.print("sandbox: \(sandbox.summary)") }
        if workersLost > 0 {
            TextOutput.print(workersLost == 1 ? "1 worker lost" : "\(workersLost) workers lost")
        }
    }
}
