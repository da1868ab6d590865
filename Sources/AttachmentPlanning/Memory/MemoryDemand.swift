public import AttachmentContainer

/// What a plan takes of memory beside the baseline, term by term.
public struct MemoryDemand: Sendable, Hashable, Codable {
    /// One thing that is held while the plan runs.
    public struct Term: Sendable, Hashable, Codable {
        /// What it is, in a few words.
        public let name: String
        /// How much it takes at most.
        public let bytes: ByteCount
    }

    /// What is held at the same time; none takes nothing.
    public let terms: [Term]

    /// What the first attachment of a process takes for good, and every plan counts: libvips'
    /// classes of operations, its threads, and the data of the codecs that are touched (measured
    /// with libvips 8.14.1).
    public static let warmUp = ByteCount(1_200_000)

    /// What passing sound or a movie through takes: two buffers of 64 KiB, with the header and the
    /// manifest; and what a process that has processed pictures keeps.
    public static let passThrough = MemoryDemand(
        [("buffers, header and manifest", 262_144), ("warmed up", Double(warmUp.bytes))],
        reliefWhenCold: Double(warmUp.bytes))

    /// How much less it is in a process that has processed nothing yet, where what comes first does
    /// not coincide with what only later steps warm up.
    public let reliefWhenCold: ByteCount

    /// Adds up terms.
    ///
    /// - Parameters:
    ///   - terms: Names and bytes; whatever is not positive is left out, and what passes the largest
    ///     integer is cut to it.
    ///   - reliefWhenCold: How much less it is in a process that has processed nothing yet, in bytes.
    ///     The default is 0.
    public init(_ terms: [(name: String, bytes: Double)], reliefWhenCold: Double = 0) {
        self.reliefWhenCold = ByteCount(Int(clamping: max(0, reliefWhenCold)))
        self.terms = terms.compactMap { name, bytes in
            bytes < 1 ? nil : Term(name: name, bytes: ByteCount(Int(clamping: bytes)))
        }
    }

    /// What the footprint rises by at most in a process.
    ///
    /// - Parameter budget: The budget of the process.
    /// - Returns: The sum of all terms, less what is spared where nothing was processed yet.
    public func total(in budget: MemoryBudget) -> ByteCount {
        budget.isCold ? ByteCount(max(0, total.bytes - reliefWhenCold.bytes)) : total
    }

    /// The peak footprint that is predicted for a process.
    ///
    /// - Parameter budget: The budget of the process, for its baseline.
    /// - Returns: Baseline and demand together.
    public func predictedPeak(in budget: MemoryBudget) -> ByteCount {
        let (sum, overflow) = budget.baseline.bytes.addingReportingOverflow(
            total(in: budget).bytes)
        return ByteCount(overflow ? .max : sum)
    }

    /// The sum of all terms, which is what the footprint rises by at most.
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
