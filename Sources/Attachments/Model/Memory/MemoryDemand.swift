public import AttachmentContainer

/// Memory demand of a plan in addition to the baseline, term by term.
public struct MemoryDemand: Sendable, Hashable, Codable {
    /// One allocation held while the plan runs.
    public struct Term: Sendable, Hashable, Codable {
        /// Short name.
        public let name: String
        /// Upper bound.
        public let bytes: ByteCount
    }

    /// Terms held at the same time; empty means no demand.
    public let terms: [Term]

    /// Permanent allocations of a process's first attachment, which every plan counts.
    ///
    /// They are libvips' operation classes, its threads, and the codecs' written data (measured
    /// with libvips 8.14.1).
    public static let warmUp = ByteCount(1_200_000)

    /// Demand of passing a sound or movie through, in a process that may have processed pictures.
    public static let passThrough = MemoryDemand(
        [("buffers, header and manifest", 262_144), ("warmed up", Double(warmUp.bytes))],
        reliefWhenCold: Double(warmUp.bytes))

    /// Reduction in a cold process: early allocations do not coincide with those warmed up later.
    public let reliefWhenCold: ByteCount
    /// Reduction until the process uses libvips, for plans that do not.
    public let reliefBeforeVips: ByteCount

    /// Part of the sum that is released before the stills are made.
    package let beforeStills: ByteCount

    /// Sums up terms in bytes; nonpositive ones are dropped and excessive ones clamped.
    public init(
        _ terms: [(name: String, bytes: Double)], reliefWhenCold: Double = 0,
        reliefBeforeVips: ByteCount = ByteCount(0), beforeStills: Double = 0
    ) {
        self.beforeStills = ByteCount(Int(clamping: max(0, beforeStills)))
        self.reliefWhenCold = ByteCount(Int(clamping: max(0, reliefWhenCold)))
        self.reliefBeforeVips = reliefBeforeVips
        self.terms = terms.compactMap { name, bytes in
            bytes < 1 ? nil : Term(name: name, bytes: ByteCount(Int(clamping: bytes)))
        }
    }

    /// Maximum growth of the footprint: the sum of all terms, minus the reliefs that apply.
    public func total(in budget: MemoryBudget) -> ByteCount {
        let relief =
            (budget.isCold ? reliefWhenCold.bytes : 0)
            + (budget.hasUsedVips ? 0 : reliefBeforeVips.bytes)
        return ByteCount(max(0, total.bytes - relief))
    }

    /// Predicted peak footprint: baseline plus demand.
    public func predictedPeak(in budget: MemoryBudget) -> ByteCount {
        let (sum, overflow) = budget.baseline.bytes.addingReportingOverflow(total(in: budget).bytes)
        return ByteCount(overflow ? .max : sum)
    }

    /// Sum of all terms: the maximum growth of the footprint.
    public var total: ByteCount {
        terms.reduce(ByteCount(0)) { sum, term in
            let (total, overflow) = sum.bytes.addingReportingOverflow(term.bytes.bytes)
            return ByteCount(overflow ? .max : total)
        }
    }
}

extension Int {
    fileprivate init(clamping bytes: Double) {
        self = bytes < Double(Int.max) ? Int(bytes.rounded(.up)) : .max
    }
}
