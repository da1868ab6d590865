public import AttachmentContainer

/// Memory available to the plans for one attachment.
public struct MemoryBudget: Sendable, Hashable, Codable {
    /// Footprint that the process must never reach.
    public let cap: MemoryCap
    /// Footprint of the process without any attachment.
    public let baseline: ByteCount
    /// Memory left unused for allocations that no plan counts, such as a system thread.
    public let reserve: ByteCount
    /// True if the process has not processed any attachment yet.
    public let isCold: Bool
    /// True if the process has used libvips for an attachment, whose start stays allocated.
    public let hasUsedVips: Bool

    /// Default reserve in an app's own process: 512 KiB.
    public static let defaultReserve = ByteCount(512 << 10)

    /// Reserve of a worker, where only attachments allocate: 64 KiB.
    package static let workerReserve = ByteCount(64 << 10)

    /// Creates a budget; by default for an app's own process without an attachment so far.
    ///
    /// By default a process that is not cold has used libvips.
    public init(
        cap: MemoryCap, baseline: ByteCount, reserve: ByteCount = MemoryBudget.defaultReserve,
        isCold: Bool = true, hasUsedVips: Bool? = nil
    ) {
        self.isCold = isCold
        self.hasUsedVips = hasUsedVips ?? !isCold
        self.cap = cap
        self.baseline = baseline
        self.reserve = reserve
    }

    /// Baseline of a process that has already processed attachments, with its footprint while idle.
    ///
    /// Warmed-up memory stays allocated and is part of every plan's demand, so it is not counted
    /// twice. Further heap growth implies fragmentation, which the next attachment cannot fully use
    /// (measured: up to 0.6 MB, after pictures of 300 MB). Without libvips plans count no warmed-up
    /// memory, and codecs keep up to 0.3 MB of their tables.
    public static func baseline(
        idle: ByteCount, cold: ByteCount, hasUsedVips: Bool = true
    ) -> ByteCount {
        guard hasUsedVips else { return max(idle, cold) }
        let grown = idle.bytes - cold.bytes - MemoryDemand.warmUp.bytes
        return grown > 0 ? ByteCount(cold.bytes + grown + 600_000) : cold
    }

    /// Allowance for the baseline of another process of the same program, in bytes.
    ///
    /// Pages that libraries and the heap touch depend on the layout of the address space. The
    /// footprints of most workers differ by some ten kilobytes. In one of fifteen, `RLIMIT_DATA` also
    /// counts 64 KiB more (measured on 250 workers; none without address space randomisation).
    private static let baselineVariation = 131_072

    /// Smallest cap whose work budget holds a demand, also in another process of the program, rounded
    /// up to what its description shows: a tenth of a megabyte, or of a gigabyte.
    ///
    /// - Parameter demand: The demand in this process's state.
    /// - Returns: The cap.
    package func smallestCap(for demand: ByteCount) -> ByteCount {
        let (sum, overflow) = (baseline.bytes + reserve.bytes + Self.baselineVariation)
            .addingReportingOverflow(demand.bytes)
        let tenth = sum > 999_900_000 ? 100_000_000 : 100_000
        guard !overflow, sum < .max - tenth else { return ByteCount(.max) }
        return ByteCount((sum + tenth - 1) / tenth * tenth)
    }

    /// Work budget of an attachment in addition to the baseline; at least 0.
    public var work: ByteCount {
        ByteCount(max(0, cap.footprint.bytes - baseline.bytes - reserve.bytes))
    }
}
