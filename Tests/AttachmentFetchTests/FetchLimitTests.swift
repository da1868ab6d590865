import AttachmentContainer
import AttachmentFetch
import Foundation
import OriginServer
import Testing

@Suite("Limits on fetching", .timeLimit(.minutes(1)))
struct FetchLimitTests {
    @Test("A file arrives with its bytes, digest, type and identity")
    func file() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let url = origin.url("/file?text=hello&etag=%22a%22&type=image/png")
            let file = try await fixture.fetcher.fetch(url)
            #expect(file.text == "hello" && file.bytes == ByteCount(5))
            #expect(file.digest == ContentDigest(of: "hello"))
            #expect(file.mediaType == "image/png")
            #expect(file.identity.entityTag == "\"a\"")
            #expect(fixture.fetcher.sandboxes.count == 1)
            #expect(origin.requests.first?.contains("Accept-Encoding=identity") == true)
        }
    }

    @Test("Announced, silent, endless and compressed excess ends at the ceiling")
    func ceiling() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { settings in
            settings.maximumBytes = .megabytes(1)
        } _: { fixture in
            for target in [
                "/huge?bytes=300000000", "/huge?bytes=300000000&silent=1", "/endless",
                "/bomb?transfer=1",
            ] {
                let code = await fixture.failure(origin.url(target))
                #expect(code == .tooLarge, "\(target)")
            }
            #expect(await fixture.failure(origin.url("/bomb")) == .encoded)
            #expect(await fixture.failure(origin.url("/huge?bytes=983040")) == nil)
            let left = try fixture.names("incoming")
            #expect(left.isEmpty)
        }
    }

    @Test("A slow server ends by its speed, or at the deadline of the whole")
    func slow() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { settings in
            settings.stallTime = .seconds(1)
            settings.timeout = .seconds(5)
        } _: { fixture in
            for target in ["/drip", "/headers", "/file?delay=10"] {
                let begun = ContinuousClock.now
                #expect(await fixture.failure(origin.url(target)) == .tooSlow, "\(target)")
                #expect(begun.duration(to: .now) < .seconds(4))
            }
        }
        try await FetchFixture.with(origin) { settings in
            settings.timeout = .seconds(1)
        } _: { fixture in
            for target in ["/drip", "/headers"] {
                let begun = ContinuousClock.now
                let code = await fixture.failure(origin.url(target))
                #expect(code == .late, "\(target)")
                #expect(begun.duration(to: .now) < .seconds(3))
            }
        }
    }

    @Test("A deadline of the caller ends the transfer")
    func deadline() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let begun = ContinuousClock.now
            let error = await #expect(throws: FetchError.self) {
                _ = try await fixture.fetcher.fetch(
                    origin.url("/drip"), by: .now + .milliseconds(300))
            }
            #expect(error?.code == .late)
            #expect(begun.duration(to: .now) < .seconds(2))
        }
    }

    @Test(
        "A response that breaks HTTP or ends early is typed",
        arguments: [
            ("/short", FetchError.Code.incomplete), ("/nothing", .incomplete),
            ("/garbage", .malformed), ("/many-headers", .malformed), ("/file?bytes=0", .empty),
            ("/file?status=404", .status), ("/file?status=500", .status),
            ("/file?status=204", .status), ("/file?status=304", .status),
            ("/file?encoding=br", .encoded), ("/loop", .tooManyRedirects),
            ("/chain?left=5", .tooManyRedirects), ("/redirect?to=", .tooManyRedirects),
        ])
    func faults(_ target: String, _ code: FetchError.Code) async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            #expect(await fixture.failure(origin.url(target)) == code)
        }
    }

    @Test("A body that is longer than announced ends where it was announced to")
    func long() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let file = try await fixture.fetcher.fetch(origin.url("/long"))
            #expect(file.text == String(repeating: "x", count: 10))
        }
    }

    @Test("Five redirections are followed")
    func chain() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let file = try await fixture.fetcher.fetch(origin.url("/chain?left=4"))
            #expect(file.text == "end")
        }
    }

    @Test("No text of an error contains more of the URL than the host")
    func privacy() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            for url in [
                origin.url("/file?status=404&secret=1"), "https://secret@example.com/secret",
                "ftp://example.com/secret", origin.url("/redirect?to=https://secret:1/secret"),
            ] {
                let error = await #expect(throws: FetchError.self) {
                    _ = try await fixture.fetcher.fetch(url)
                }
                #expect(
                    error.map { !"\($0)".contains("secret@") && !"\($0)".contains("/secret") }
                        == true)
                #expect(error.map { !"\($0)".contains("404&") } == true)
            }
        }
    }
}
