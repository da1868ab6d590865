public import AttachmentContainer

/// Attachment whose notification is in the container.
public struct ProcessedAttachment: Sendable, Codable {
    /// Manifest for the content extension.
    public let manifest: Manifest
    /// Kind of work done.
    public let work: Work
    /// Memory use of the process.
    public let memory: MemoryUse

    /// Creates a result.
    public init(manifest: Manifest, work: Work, memory: MemoryUse) {
        self.manifest = manifest
        self.work = work
        self.memory = memory
    }

    /// Kinds of work done for an attachment.
    public enum Work: String, Sendable, Codable {
        case made
        /// The renditions of another notification with the same bytes and settings were reused.
        case reused
        /// The notification was already in the container, with the same bytes and settings.
        case unchanged
    }
}

/// Memory use of the process during one attachment.
public struct MemoryUse: Sendable, Hashable, Codable {
    /// Footprint just before the attachment.
    public let baseline: ByteCount
    /// Predicted peak footprint; nil when nothing was decoded.
    public let predictedPeak: ByteCount?
    /// Measured peak footprint, until the manifest was published.
    public let measuredPeak: ByteCount
    /// Peak memory of the worker's control group, page cache included; nil without a control group.
    public let kernelPeak: ByteCount?

    /// Creates the figures of one attachment.
    public init(
        baseline: ByteCount, predictedPeak: ByteCount?, measuredPeak: ByteCount,
        kernelPeak: ByteCount? = nil
    ) {
        self.baseline = baseline
        self.predictedPeak = predictedPeak
        self.measuredPeak = measuredPeak
        self.kernelPeak = kernelPeak
    }
}
