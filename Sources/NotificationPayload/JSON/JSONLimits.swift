/// What a document may cost its reader.
public struct JSONLimits: Sendable, Hashable {
    /// The most bytes of one document.
    ///
    /// The default is 16 MiB, 4096 times what APNs takes. Positions are kept in 32 bits, so more than 2 GiB is never read.
    public var maximumBytes: Int
    /// The most arrays and objects in one another.
    ///
    /// The default is 128. Values are made by recursion, so more than 256 is never read.
    public var maximumDepth: Int
    /// The most values and keys.
    ///
    /// The default is 500,000, which the reader remembers in 6 MB.
    public var maximumValues: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - maximumBytes: The most bytes of one document. The default is 16 MiB.
    ///   - maximumDepth: The most arrays and objects in one another. The default is 128.
    ///   - maximumValues: The most values and keys. The default is 500,000.
    public init(
        maximumBytes: Int = 16 << 20, maximumDepth: Int = 128, maximumValues: Int = 500_000
    ) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    /// The most bytes that are read in any case.
    var bytes: Int { min(maximumBytes, Int(Int32.max)) }
    /// The depth that is read in any case.
    var depth: Int { min(maximumDepth, 256) }
}
