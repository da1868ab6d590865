import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import WorkerProtocol

/// The JSON report of `thimble convert`.
struct ConversionReport: Encodable {
    struct Picture: Encodable {
        let file: String
        /// The path of the output; nil if it was not made.
        var output: String?
        var type: String?
        var size: PixelSize?
        let bytesBefore: ByteCount?
        var bytesAfter: ByteCount?
        var rung: String?
        var notes: [String]?
        var memory: MemoryUse?
        var error: String?
        /// The part of the product that failed.
        var domain: Fault.Domain?
        var reason: String?
        var remedy: String?

        init(
            _ done: ProcessedAttachment, _ rendition: Manifest.Rendition, of file: String,
            at output: String
        ) {
            self.file = file
            self.output = output
            (type, size) = (rendition.type, rendition.size)
            (bytesBefore, bytesAfter) = (done.manifest.source.bytes, rendition.bytes)
            rung = done.manifest.rung
            notes = done.manifest.notes.isEmpty ? nil : done.manifest.notes
            memory = done.memory
        }

        init(_ failure: SourceFailure, file: String) {
            self.file = file
            bytesBefore = nil
            error = failure.code
            domain = failure.fault.domain
            reason = failure.reason
            remedy = failure.remedy
        }

        /// Output, size and bytes, in one line; nil if it was not made.
        var line: String? {
            guard let output, let size, let bytesAfter, let bytesBefore else { return nil }
            return "\(output)  \(size), \(bytesAfter), from \(bytesBefore)"
        }
    }

    let cap: ByteCount
    let enforcement: Enforcement.Mechanism
    let sandbox: SandboxReport?
    let workersLost: Int
    let pictures: [Picture]

    init(_ pictures: [Picture], by pool: WorkerPool) {
        cap = pool.hardCap.cap.footprint
        enforcement = pool.hardCap.mechanism
        sandbox = pool.sandbox
        workersLost = pool.statistics.lost
        self.pictures = pictures
    }
}
