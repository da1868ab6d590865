import Foundation

/// Lines of an enveloped answer: each payload with its outcome, and a summary at the end.
struct PayloadEnvelope: Sendable {
    private struct Last: Encodable {
        let requestId: String?
        let summary: StreamSummary
    }

    /// One line with the report, and the payload itself as its last member.
    static func line(_ report: PayloadReport, payload: [UInt8]? = nil) -> [UInt8] {
        var line = encoded(report)
        if let payload {
            line.removeLast()
            // Within a document line ends are white space, for strings escape them.
            let document = payload.map { [0x0A, 0x0D].contains($0) ? 0x20 : $0 }
            line += Array(#","payload":"#.utf8) + document + Array("}".utf8)
        }
        return line + [0x0A]
    }

    static func summary(_ summary: StreamSummary, requestID: String?) -> [UInt8] {
        encoded(Last(requestId: requestID, summary: summary)) + [0x0A]
    }

    private static func encoded(_ value: some Encodable) -> [UInt8] {
        // Strings and integers always encode.
        [UInt8]((try? JSONEncoder.service.encode(value)) ?? Data("{}".utf8))
    }
}
