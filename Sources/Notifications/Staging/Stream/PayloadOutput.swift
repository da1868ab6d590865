/// Bytes of a stream of payloads after the stage, with the reports on them.
public struct PayloadOutput<Report: Sendable>: Sendable {
    /// The bytes to write.
    public var bytes: [UInt8]
    /// Reports on the payloads in the bytes, in their order; empty for white space.
    public var reports: [Report]

    /// Creates an output, by default an empty one.
    public init(bytes: [UInt8] = [], reports: [Report] = []) {
        self.bytes = bytes
        self.reports = reports
    }

    /// Appends a later output.
    public mutating func append(_ other: Self) {
        bytes += other.bytes
        reports += other.reports
    }
}
