public import AttachmentContainer

/// An attachment whose notification is in the container.
public struct ProcessedAttachment: Sendable, Codable {
    /// What the content extension will read.
    public let manifest: Manifest
    /// How much work it took.
    public let work: Work
    /// What it took of the process's memory.
    public let memory: MemoryUse

    /// Says what became of an attachment.
    ///
    /// - Parameters:
    ///   - manifest: What the content extension will read.
    ///   - work: How much work it took.
    ///   - memory: What it took of the process's memory.
    public init(manifest: Manifest, work: Work, memory: MemoryUse) {
        self.manifest = manifest
        self.work = work
        self.memory = memory
    }

    /// How much work an attachment took.
    public enum Work: String, Sendable, Codable {
        /// The renditions were made.
        case made
        /// Another notification had renditions of the same bytes with the same settings.
        case reused
        /// The notification was in the container already, made of the same bytes with the same
        /// settings.
        case unchanged
    }
}

/// What one attachment took of the memory of the process that it was processed in.
public struct MemoryUse: Sendable, Hashable, Codable {
    /// The footprint of the process just before the attachment.
    public let baseline: ByteCount
    /// The peak footprint of the process that the plan predicted; nil when nothing was decoded.
    public let predictedPeak: ByteCount?
    /// The peak footprint of the process that was measured, up to the publishing of the manifest.
    public let measuredPeak: ByteCount
    /// What the kernel counted at most in the worker's control group, page cache included; nil
    /// without one.
    public let kernelPeak: ByteCount?

    /// States the figures of one attachment.
    ///
    /// - Parameters:
    ///   - baseline: The footprint of the process just before the attachment.
    ///   - predictedPeak: The peak that the plan predicted; nil when nothing was decoded.
    ///   - measuredPeak: The peak that was measured.
    ///   - kernelPeak: What the kernel counted at most. The default is nothing.
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
