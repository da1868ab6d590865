/// Numbers of payloads of a stream by outcome, for its trailer.
struct StreamSummary: Encodable, Sendable {
    private(set) var payloads = 0
    private(set) var outcomes: [String: Int] = [:]

    mutating func add(_ report: PayloadReport) {
        let count = 1 + (report.lastLine ?? report.line) - report.line
        payloads += count
        outcomes[report.outcome, default: 0] += count
    }

    /// A dictionary of integers (RFC 8941, section 3.2), the number of payloads first.
    var field: String {
        (["payloads=\(payloads)"]
            + outcomes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
            .joined(separator: ", ")
    }
}
