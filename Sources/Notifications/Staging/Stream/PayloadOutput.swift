/// Bytes of a stream of payloads after the stage, with the reports on them.
package struct PayloadOutput<Report: Sendable>: Sendable {
    package var bytes: [UInt8]
    /// Empty for white space.
    package var reports: [Report]

    package init(bytes: [UInt8] = [], reports: [Report] = []) {
        self.bytes = bytes
        self.reports = reports
    }

    package mutating func append(_ other: Self) {
        bytes += other.bytes
        reports += other.reports
    }
}
