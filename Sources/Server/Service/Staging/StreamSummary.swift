/// Numbers of payloads and attachments of a stream by outcome, for its trailer.
struct StreamSummary: Encodable, Sendable {
    private(set) var payloads = 0
    private(set) var outcomes: [String: Int] = [:]
    /// Attachments by outcome, of which a payload may have several.
    private(set) var attachments: [String: Int] = [:]

    mutating func add(_ report: PayloadReport) {
        let count = 1 + (report.lastLine ?? report.line) - report.line
        payloads += count
        outcomes[report.outcome, default: 0] += count
        for attachment in report.attachments { attachments[attachment.outcome, default: 0] += 1 }
    }

    /// A dictionary of integers (RFC 8941, section 3.2), the number of payloads first, and attachments
    /// last.
    var field: String {
        let count = { (prefix: String, counts: [String: Int]) in
            counts.sorted { $0.key < $1.key }.map { "\(prefix)\($0.key)=\($0.value)" }
        }
        return (["payloads=\(payloads)"] + count("", outcomes) + count("attachments.", attachments))
            .joined(separator: ", ")
    }
}
