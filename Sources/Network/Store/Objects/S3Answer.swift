import AttachmentContainer
import Foundation
import TransferProtocol

/// The needed parts of an S3 server's answer; the server is not trusted.
struct S3Answer: Sendable {
    /// Names, in lowercase, of the headers that are needed.
    static let headers = ["content-length", "date", "retry-after", "x-amz-bucket-region"]

    let status: Int
    let headers: [String: String]
    /// The error's code, such as `NoSuchBucket`; nil without an error's document.
    let code: String?

    init(status: Int, headers: [String: String] = [:], code: String? = nil) {
        self.status = status
        self.headers = headers
        self.code = code
    }

    init(_ response: TransferResponse, document: OwnedDescriptor, ceiling: Int) {
        // The body of a success is an object.
        let length =
            200..<300 ~= response.status ? 0 : min(max(0, response.bytes), ceiling)
        var bytes = [UInt8](repeating: 0, count: length)
        let count = bytes.withUnsafeMutableBytes {
            pread(document.descriptor, $0.baseAddress, $0.count, 0)
        }
        self.init(
            status: response.status, headers: response.headers,
            code: Self.code(in: bytes.prefix(max(0, count))))
    }

    /// The first element `Code` of an error's document; its only use needs no parser of XML.
    static func code(in document: ArraySlice<UInt8>) -> String? {
        let tag = Array("<Code>".utf8)
        guard let start = document.indices.first(where: { document[$0...].starts(with: tag) })
        else { return nil }
        let text = document[(start + tag.count)...].prefix { $0 != UInt8(ascii: "<") }
        // AWS has codes of up to 60 letters, some with a full stop.
        guard 1...64 ~= text.count,
            text.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Difference of the server's clock from this one, in seconds; nil without a date.
    func clockDifference(at now: Date) -> Double? {
        Self.time(headers["date"] ?? "").map { $0 - now.timeIntervalSince1970 }
    }

    /// Time for which the server asks to wait (RFC 9110, section 10.2.3); nil if it does not.
    func retryAfter(at now: Date) -> Duration? {
        guard let text = headers["retry-after"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            // More digits than an hour has are a long time too.
            return .seconds(min(Int(text) ?? Self.longestPause, Self.longestPause))
        }
        // By the server's own clock, whatever the difference from this one.
        guard let end = Self.time(text) else { return nil }
        let start = Self.time(headers["date"] ?? "") ?? now.timeIntervalSince1970
        return .seconds(min(max(0, end - start), Double(Self.longestPause)))
    }

    /// No deadline of a payload is longer, in seconds.
    private static let longestPause = 3600

    /// Seconds since 1970 of a date in a header; nil if it is malformed.
    private static func time(_ text: String) -> Double? {
        // `Tue, 24 Nov 2026 10:00:00 GMT` (RFC 9110, section 5.6.7); other forms are obsolete.
        let fields = text.split { " :".contains($0) }
        guard fields.count == 8, let month = months.firstIndex(of: String(fields[2])),
            let day = Int32(fields[1]), let year = Int32(fields[3]), 1970...9999 ~= year,
            let hour = Int32(fields[4]), let minute = Int32(fields[5]),
            let second = Int32(fields[6]), fields[7] == "GMT"
        else { return nil }
        var time = tm()
        time.tm_mday = day
        time.tm_mon = Int32(month)
        time.tm_year = year - 1900
        time.tm_hour = hour
        time.tm_min = minute
        time.tm_sec = second
        return Double(timegm(&time))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
