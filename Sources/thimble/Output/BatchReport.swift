import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import AttachmentWorker
import Foundation
import WorkerProtocol

/// The report of `thimble batch`, as JSON or text.
struct BatchReport: Encodable {
    struct File: Encodable {
        let file: String
        let outcome: String
        var rung: String?
        var predictedPeak: ByteCount?
        var measuredPeak: ByteCount?
        var kernelPeak: ByteCount?
        var bytesBefore: ByteCount
        var bytesAfter: ByteCount?
        var size: PixelSize?
        var notes: [String]?
        var error: AttachmentError.Code?
        var reason: String?
        var remedy: String?
        let seconds: Double
    }

    let container: String
    let cap: ByteCount
    let enforcement: Enforcement.Mechanism
    let sandbox: SandboxReport?
    let workersLost: Int
    let highestPeak: ByteCount?
    let made: Int
    let reused: Int
    let unchanged: Int
    let notPictures: Int
    let failed: Int
    let notBegun: Int
    let bytesBefore: ByteCount
    let bytesAfter: ByteCount
    let seconds: Double
    let files: [File]

    init(
        _ results: [FolderBatch.Result], of total: Int, in container: SharedContainer,
        by pool: WorkerPool, elapsed: Duration
    ) {
        files = results.map(File.init)
        let count = { (outcome: String) in results.map(\.outcomeName).filter { $0 == outcome }.count
        }
        self.container = container.root.path
        cap = pool.hardCap.cap.footprint
        enforcement = pool.hardCap.mechanism
        sandbox = pool.sandbox
        workersLost = pool.statistics.lost
        highestPeak = files.compactMap(\.measuredPeak).max()
        made = count("made")
        reused = count("reused")
        unchanged = count("unchanged")
        notPictures = count("not-a-picture")
        failed = count("failed")
        notBegun = total - results.count
        let done = files.filter { $0.bytesAfter != nil }
        bytesBefore = done.map(\.bytesBefore).total
        bytesAfter = done.compactMap(\.bytesAfter).total
        seconds = elapsed.inSeconds
    }

    func printSummary() {
        var counts = ["\(made) made"]
        if reused > 0 { counts.append("\(reused) reused") }
        if unchanged > 0 { counts.append("\(unchanged) unchanged") }
        if failed > 0 { counts.append("\(failed) failed") }
        if notPictures > 0 {
            counts.append(notPictures == 1 ? "1 not a picture" : "\(notPictures) not pictures")
        }
        if notBegun > 0 { counts.append("\(notBegun) not begun") }
        TextOutput.print("\(files.count + notBegun) files: \(counts.joined(separator: ", "))")
        TextOutput.print(
            "\(bytesBefore) of attachments became \(bytesAfter) of renditions in "
                + "\(seconds.fixed(1)) s")
        TextOutput.print("container: \(container)")
        if let highestPeak {
            TextOutput.print(
                "highest peak \(highestPeak) of the cap of \(MemoryCap(cap)) "
                    + "(\(enforcement.rawValue))")
        }
        if let sandbox { TextOutput.print("sandbox: \(sandbox.summary)") }
        if workersLost > 0 {
            TextOutput.print(workersLost == 1 ? "1 worker lost" : "\(workersLost) workers lost")
        }
        for file in files {
            guard let reason = file.reason, let error = file.error else { continue }
            TextOutput.print("failed: \(file.file): \(reason); \(error.remedyWithOptions)")
        }
    }
}

extension BatchReport.File {
    fileprivate init(_ result: FolderBatch.Result) {
        file = result.item.identifier
        outcome = result.outcomeName
        bytesBefore = result.item.bytes
        seconds = result.duration.inSeconds
        switch result.outcome {
        case .done(let done):
            let manifest = done.manifest
            bytesAfter = manifest.renditions.map(\.bytes).total
            size = manifest.rendition(.expanded)?.size
            rung = manifest.rung
            predictedPeak = done.memory.predictedPeak
            measuredPeak = done.memory.measuredPeak
            kernelPeak = done.memory.kernelPeak
            notes = manifest.notes.isEmpty ? nil : manifest.notes
        case .failed(let failure):
            error = failure.code
            reason = failure.reason
            remedy = failure.code.remedyWithOptions
        case .notPicture:
            break
        }
    }
}

extension FolderBatch.Result {
    fileprivate var outcomeName: String {
        switch outcome {
        case .done(let done): done.work.rawValue
        case .notPicture: "not-a-picture"
        case .failed: "failed"
        }
    }
}

extension [ByteCount] {
    /// The sum, saturated because workers may report any length.
    fileprivate var total: ByteCount {
        ByteCount(
            reduce(0) { sum, count in
                let (new, isOver) = sum.addingReportingOverflow(count.bytes)
                return isOver ? .max : new
            })
    }
}
