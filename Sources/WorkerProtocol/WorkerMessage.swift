package import AttachmentContainer
package import AttachmentFootprint
package import AttachmentIntake
package import AttachmentPlanning
package import ProcessSandbox

/// What a worker tells its supervisor.
package enum WorkerMessage: Codable, Sendable {
    /// It has started its libraries, and waits for attachments.
    case ready(WorkerReady)
    /// It cannot work at all, and why.
    case unable(String)
    /// It is about to decode: if it is lost, this is the rung that it costs.
    case started(WorkerStarted)
    /// The renditions are made, or those that are known cannot be bettered.
    case done(Rendering)
    /// The attachment cannot be processed; the worker goes on.
    case failed(AttachmentError)
}

/// A worker that waits for its first attachment.
package struct WorkerReady: Codable, Sendable, Hashable {
    /// The version of libvips that it is linked with.
    package let libvips: String
    /// Its footprint before the first attachment.
    package let baseline: ByteCount
    /// The limit that it has set itself; nil when it has not.
    package let limit: DataLimit?
    /// What became of its sandbox.
    package let sandbox: SandboxReport

    /// Says what a worker is before its first attachment.
    package init(
        libvips: String, baseline: ByteCount, limit: DataLimit?, sandbox: SandboxReport
    ) {
        self.libvips = libvips
        self.baseline = baseline
        self.limit = limit
        self.sandbox = sandbox
    }
}

/// An attachment that is about to be decoded.
package struct WorkerStarted: Codable, Sendable, Hashable {
    package let rung: Plan.Rung
    /// The peak footprint that is predicted for the worker.
    package let predictedPeak: ByteCount

    /// Says on which rung an attachment is about to be decoded.
    package init(rung: Plan.Rung, predictedPeak: ByteCount) {
        self.rung = rung
        self.predictedPeak = predictedPeak
    }
}
