import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import WorkerProtocol

/// The JSON report of `thimble process`.
struct ProcessReport: Encodable {
    struct Attachment: Encodable {
        let file: String
        var manifest: Manifest?
        var work: ProcessedAttachment.Work?
        var memory: MemoryUse?
        /// URL of the main published rendition, for devices.
        var url: String?
        /// URLs by role, if several renditions are published.
        var urls: [String: String]?
        var error: String?
        /// The part of the product that failed.
        var domain: Fault.Domain?
        var reason: String?
        var remedy: String?

        init(
            _ done: ProcessedAttachment, file: String,
            _ publication: PublishingProcessor.Publication
        ) {
            self.file = file
            if case .success(let published) = publication {
                (url, urls) = (published.main, published.byRole)
            }
            if case .failure(let failure) = publication { setFailure(failure) }
            manifest = done.manifest
            work = done.work
            memory = done.memory
        }

        init(_ failure: SourceFailure, file: String) {
            self.file = file
            setFailure(failure)
        }

        private mutating func setFailure(_ failure: SourceFailure) {
            error = failure.code
            domain = failure.fault.domain
            reason = failure.reason
            remedy = failure.remedy
        }
    }

    let cap: ByteCount
    let enforcement: Enforcement.Mechanism
    let sandbox: SandboxReport?
    let workersLost: Int
    let attachments: [Attachment]

    init(_ attachments: [Attachment], by pool: WorkerPool) {
        cap = pool.hardCap.cap.footprint
        enforcement = pool.hardCap.mechanism
        sandbox = pool.sandbox
        workersLost = pool.statistics.lost
        self.attachments = attachments
    }

    func printTerms() {
        TextOutput.print("cap \(MemoryCap(cap)) (\(enforcement.rawValue))")
        if let sandbox { TextOutput.print("sandbox: \(sandbox.summary)") }
    }
}
