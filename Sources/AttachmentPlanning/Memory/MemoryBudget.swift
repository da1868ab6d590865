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
    /// Whether the process has processed nothing yet.
    public let isCold: Bool

    /// What an app's own process leaves unused: 512 KiB.
    public static let defaultReserve = ByteCount(512 << 10)

    /// The reserve of a worker, in which nothing but attachments takes memory: 64 KiB.
    package static let workerReserve = ByteCount(64 << 10)

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - cap: The footprint that the process must never reach.
    ///   - baseline: The footprint of the process without any attachment.
    ///   - reserve: What is left unused. The default is 512 KiB.
    ///   - isCold: Whether the process has processed nothing yet. The default is true.
    public init(
        cap: MemoryCap, baseline: ByteCount, reserve: ByteCount = MemoryBudget.defaultReserve,
        isCold: Bool = true
    ) {
        self.isCold = isCold
        self.cap = cap
        self.baseline = baseline
        self.reserve = reserve
    }

    /// The baseline of a process that has processed attachments already.
    ///
    /// What they warmed up stays, and is part of every plan's demand: it is not counted once more.
    /// A heap that holds more than that has holes, which the next attachment cannot all use
    /// (measured: up to 0.6 MB, after pictures of 300 MB).
    ///
    /// - Parameters:
    ///   - idle: The footprint while no attachment is under way.
    ///   - cold: The footprint before the first one.
    /// - Returns: What plans start from.
    public static func baseline(idle: ByteCount, cold: ByteCount) -> ByteCount {
        let grown = idle.bytes - cold.bytes - MemoryDemand.warmUp.bytes
        return grown > 0 ? ByteCount(cold.bytes + grown + 600_000) : cold
    }

    /// What an attachment may take beside the baseline; 0 when there is nothing left.
    public var work: ByteCount {
        ByteCount(max(0, cap.footprint.bytes - baseline.bytes - reserve.bytes))
    }

    /// The same room for attachments under a higher cap: the difference goes into the reserve.
    ///
    /// - Parameter cap: The cap; one below that of the budget changes nothing.
    /// - Returns: The budget.
    package func restated(under cap: MemoryCap) -> MemoryBudget {
        guard cap > self.cap else { return self }
        let difference = cap.footprint.bytes - self.cap.footprint.bytes
        return MemoryBudget(
            cap: cap, baseline: baseline, reserve: ByteCount(reserve.bytes + difference),
            isCold: isCold)
    }
}
