import Foundation
import Testing

@testable import AttachmentStore

@Suite("Answers of S3 servers")
struct S3AnswerTests {
    @Test("The code of an error is read from its document, and nothing else is trusted")
    func codes() {
        #expect(
            S3Answer.code(in: Array("<Error><Code>NoSuchBucket</Code></Error>".utf8)[...])
                == "NoSuchBucket")
        for text in [
            "", "<Code>", "<Code></Code>", "<Code>\u{1B}[2J</Code>", "<Code>a b</Code>",
            "<Code>\(String(repeating: "x", count: 65))</Code>", "<Code>é</Code>", "Code>x</Code>",
        ] {
            #expect(S3Answer.code(in: Array(text.utf8)[...]) == nil, "\(text)")
        }
    }

    private func error(
        _ status: Int, _ code: String? = nil, _ headers: [String: String] = [:]
    ) throws -> StoreError {
        let destination = try S3Destination(
            bucket: "renditions", prefix: "", endpoint: S3Endpoint("https://s3.example"),
            region: "us-east-1", usesPathStyle: true)
        // 2026-11-24 10:00:00 UTC.
        return StoreError(
            S3Answer(status: status, headers: headers, code: code), destination,
            now: Date(timeIntervalSince1970: 1_795_514_400))
    }

    @Test("Statuses and codes lead to errors that tell whether to try again")
    func errors() throws {
        let cases: [(Int, String?, StoreError.Code, Bool)] = [
            (301, "PermanentRedirect", .region, false),
            (400, "AuthorizationHeaderMalformed", .region, false),
            (400, nil, .unsupported, false), (403, nil, .denied, false),
            (403, "SignatureDoesNotMatch", .credentials, false),
            (403, "RequestTimeTooSkewed", .clockSkewed, false),
            (404, "NoSuchBucket", .noBucket, false), (409, "OperationAborted", .failed, true),
            (409, nil, .failed, true), (429, nil, .slowDown, true), (500, nil, .failed, true),
            (501, "NotImplemented", .unsupported, false), (501, nil, .unsupported, false),
            (503, "SlowDown", .slowDown, true), (503, nil, .failed, true), (507, nil, .full, true),
            (999, "Unheard", .failed, true), (0, nil, .unsupported, false),
        ]
        for (status, code, expected, isTransient) in cases {
            let error = try error(status, code)
            #expect(error.code == expected, "\(status) \(code ?? "")")
            #expect(error.code.isTransient == isTransient)
            #expect(error.description.hasPrefix("s3://renditions: the server answered \(status)"))
        }
    }

    @Test("A refusal by a server whose clock differs names the difference")
    func skew() throws {
        let ahead = ["date": "Tue, 24 Nov 2026 11:00:00 GMT"]
        let error = try error(403, nil, ahead)
        #expect(error.code == .clockSkewed && error.reason.hasSuffix("60 minutes ahead"))
        #expect(try self.error(403, nil, ["date": "Tue, 24 Nov 2026 09:50:00 GMT"]).code == .denied)
        #expect(try self.error(403, nil, ["date": "nonsense"]).code == .denied)
        #expect(try self.error(500, nil, ahead).code == .failed)
        let skewed = try self.error(403, "RequestTimeTooSkewed")
        #expect(skewed.code == .clockSkewed && skewed.description.contains("NTP"))
    }

    @Test("A request to wait is read in seconds and as a date, and nothing else counts")
    func retryAfter() throws {
        let date = ["date": "Tue, 24 Nov 2026 09:00:00 GMT"]
        let cases: [(String, [String: String], Duration?)] = [
            ("0", [:], .zero), ("120", [:], .seconds(120)),
            ("99999999999999999999", [:], .seconds(3600)),
            ("Tue, 24 Nov 2026 10:00:30 GMT", [:], .seconds(30)),
            // By the server's clock, an hour behind.
            ("Tue, 24 Nov 2026 09:00:30 GMT", date, .seconds(30)),
            ("Tue, 24 Nov 2026 08:00:00 GMT", date, .zero),
            ("", [:], nil), ("-1", [:], nil), ("1.5", [:], nil), ("soon", [:], nil),
        ]
        for (text, headers, expected) in cases {
            let headers = headers.merging(["retry-after": text]) { $1 }
            #expect(try error(503, "SlowDown", headers).retryAfter == expected, "\(text)")
        }
        #expect(try error(503).retryAfter == nil)
        var delay = RetryDelay()
        for _ in 0..<10 {
            let pause = delay.next(after: try error(503, nil, ["retry-after": "2"]))
            #expect(.seconds(2)...(.seconds(7)) ~= pause)
        }
    }
}
