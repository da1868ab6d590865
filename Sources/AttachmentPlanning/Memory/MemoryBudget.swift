public import AttachmentContainer

/// What the plans for one attachment compete for.
public struct MemoryBudget: Sendable, Hashable, Codable {
    /// The footprint that the process must never reach.
    public let cap: MemoryCap
    /// The footprint of the process without any attachment.
    public let baseline: ByteCount
    /// What is left unused for what no plan knows of: a thread that the system starts, the last
    /// page of every allocation.
    public let reserve: ByteCount

    /// What a worker of ours has before its first attachment, give or take half a megabyte: for
    /// predictions without one (measured, `bench/README.md`).
    public static let workerBaseline = ByteCount(5_500_000)

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - cap: The footprint that the process must never reach.
    ///   - baseline: The footprint of the process without any attachment.
    ///   - reserve: What is left unused. The default is 512 KiB.
    public init(
        cap: MemoryCap, baseline: ByteCount, reserve: ByteCount = ByteCount(512 << 10)
    ) {
        self.cap = cap
        self.baseline = baseline
        self.reserve = reserve
    }

    /// What an attachment may take beside the baseline; 0 when there is nothing left.
    public var work: ByteCount {
        ByteCount(max(0, cap.footprint.bytes - baseline.bytes - reserve.bytes))
    }
}
