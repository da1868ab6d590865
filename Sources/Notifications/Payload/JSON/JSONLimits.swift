/// Limits on the cost of parsing a document.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum size of a document, in bytes.
    ///
    /// The default is 16 MiB, 4096 times the APNs limit. Offsets have 32 bits, so larger values than
    /// 2 GiB have no effect.
    public var maximumBytes: Int
    /// The maximum nesting of arrays and objects.
    ///
    /// The default is 128. Values are built by recursion, so larger values than 256 have no effect.
    public var maximumDepth: Int
    /// The maximum number of values and keys.
    ///
    /// The default is 500,000, which takes 6 MB in the parser.
    public var maximumValues: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum size of a document, in bytes. The default is 16 MiB.
    ///   - maximumDepth: The maximum nesting of arrays and objects. The default is 128.
    ///   - maximumValues: The maximum number of values and keys. The default is 500,000.
    public init(maximumBytes: Int = 16 << 20, maximumDepth: Int = 128, maximumValues: Int = 500_000)
    {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    var bytes: Int { min(maximumBytes, Int(Int32.max)) }
    var depth: Int { min(maximumDepth, 256) }
}
