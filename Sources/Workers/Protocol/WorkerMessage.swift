package import AttachmentContainer
package import AttachmentModel

package enum WorkerMessage: Sendable {
    /// The worker's libraries are loaded, and it waits for attachments.
    case ready(WorkerReady)
    /// The worker cannot work.
    case unable(Fault)
    /// Decoding is about to begin; if the worker is lost, the attachment loses this rung.
    case started(WorkerStarted)
    /// The renditions are made, or the known ones cannot be improved.
    case done(Rendering)
    case inspected(InspectedAttachment)
    case still(EncodedStill)
    case failed(AttachmentError)
}

package struct WorkerReady: Codable, Sendable, Hashable {
    /// Version of libvips; nil for a worker without it.
    package let libvips: String?
    package let baseline: ByteCount
    package let limit: DataLimit?
    package let sandbox: SandboxReport

    package init(libvips: String?, baseline: ByteCount, limit: DataLimit?, sandbox: SandboxReport) {
        self.libvips = libvips
        self.baseline = baseline
        self.limit = limit
        self.sandbox = sandbox
    }
}

package struct WorkerStarted: Codable, Sendable, Hashable {
    package let rung: Rung
    package let predictedPeak: ByteCount

    package init(rung: Rung, predictedPeak: ByteCount) {
        self.rung = rung
        self.predictedPeak = predictedPeak
    }
}
