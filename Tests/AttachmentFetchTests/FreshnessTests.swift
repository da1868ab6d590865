import AttachmentContainer
import Foundation
import Testing

@testable import AttachmentFetch

@Suite("Freshness of responses")
struct FreshnessTests {
    private static let arrival = Date(timeIntervalSince1970: 784_111_777)
    /// The time of `arrival`, in the example of RFC 9110.
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test("Dates of HTTP are read, and others are not")
    func dates() {
        #expect(HTTPDate.parse(Self.date) == Self.arrival)
        #expect(
            HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT")?.timeIntervalSince1970 == 1_709_164_800)
        #expect(HTTPDate.parse("Thu, 01 Jan 1970 00:00:00 GMT")?.timeIntervalSince1970 == 0)
        for text in [
            "", "0", "Sun Nov  6 08:49:37 1994", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET",
        ] {
            #expect(HTTPDate.parse(text) == nil, "\(text)")
        }
    }

    @Test(
        "Lifetimes follow RFC 9111",
        arguments: [
            ([:], 60), (["cache-control": "max-age=5"], 5), (["cache-control": "max-age=\"7\""], 7),
            (["cache-control": "MAX-AGE=5, max-age=3"], 3), (["cache-control": "max-age=-1"], 0),
            (["cache-control": "max-age=x"], 0), (["cache-control": "no-cache, max-age=5"], 0),
            (["cache-control": "private, no-store"], 0),
            (["cache-control": "no-cache=\"a, b\""], 0),
            (["cache-control": "max-age=5", "vary": "*"], 0), (["expires": "0"], 0),
            (["cache-control": "must-revalidate"], 60),
            (["cache-control": "max-age=99999999999999999999"], 31_536_000),
            (["expires": "Sun, 06 Nov 1994 08:50:37 GMT", "date": date], 60),
            (["last-modified": "Sun, 06 Nov 1994 08:48:37 GMT", "date": date], 6),
            (["last-modified": "Sun, 06 Nov 1983 08:48:37 GMT", "date": date], 3600),
        ] as [([String: String], Double)])
    func lifetimes(_ headers: [String: String], _ lifetime: Double) {
        let freshness = Freshness(headers, received: Self.arrival, delay: 0, unstated: 60)
        #expect(freshness.lifetime == lifetime)
    }

    @Test("A damaged description in the cache adds no line to a request")
    func validators() throws {
        let headers = ["etag": "\"a\"", "last-modified": Self.date]
        let response = CachedResponse(
            source: try RemoteLocation("https://a.example/"), body: ContentDigest(of: "a"),
            bytes: ByteCount(1), headers: headers,
            freshness: Freshness(headers, received: Self.arrival, delay: 0, unstated: 60))
        let bytes = try #require(response.encoded())
        #expect(CachedResponse.decode(bytes)?.conditions == ["If-None-Match": "\"a\""])
        let damaged = String(decoding: bytes, as: UTF8.self)
            .replacing(#"\"a\""#, with: #"a\r\nX: b"#)
        #expect(damaged.contains(#"a\r\nX: b"#))
        #expect(CachedResponse.decode(Data(damaged.utf8)) == nil)
    }

    @Test("Age counts from the server's clock and from earlier caches")
    func age() {
        let old = Freshness(
            ["cache-control": "max-age=100", "age": "90"], received: Self.arrival, delay: 5,
            unstated: 0)
        #expect(old.initialAge == 95)
        #expect(old.isFresh(at: Self.arrival + 4))
        #expect(!old.isFresh(at: Self.arrival + 5))
        // The clock was set back.
        #expect(!old.isFresh(at: Self.arrival - 1))
        let late = Freshness(
            ["date": Self.date], received: Self.arrival + 30, delay: 0, unstated: 60)
        #expect(late.initialAge == 30)
    }
}
