import AttachmentContainer
import AttachmentFetch
import Foundation
import OriginServer
import Testing

@Suite("Fetches in progress", .timeLimit(.minutes(1)))
struct FetchFlightTests {
    @Test("One transfer serves all callers that name the same URL at once")
    func single() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let target = "/file?delay=0.5&cache=no-store&text=a"
            let files = try await withThrowingTaskGroup(of: FetchedFile.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await fixture.fetcher.fetch(origin.url(target)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(files.count == 100 && files.allSatisfy { $0 === files[0] })
            #expect(origin.count(target) == 1)
        }
    }

    @Test("A caller whose deadline has passed fails as late, and others do not wait with it")
    func passed() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let url = origin.url("/file?delay=1&cache=no-store")
            for _ in 0..<200 {
                do throws(FetchError) {
                    _ = try await fixture.fetcher.fetch(url, by: .now)
                    Issue.record("it was fetched after its deadline")
                } catch {
                    #expect(error.code == .late)
                }
            }
        }
    }

    @Test("A caller that goes away does not end the transfer for others")
    func leaving() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let url = origin.url("/file?delay=1&cache=no-store")
            let stays = Task { try await fixture.fetcher.fetch(url) }
            let goes = Task { await fixture.failure(url) }
            let isLate = Task { () -> FetchError.Code? in
                do throws(FetchError) {
                    _ = try await fixture.fetcher.fetch(url, by: .now + .milliseconds(300))
                    return nil
                } catch {
                    return error.code
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            goes.cancel()
            #expect(await goes.value == .cancelled)
            #expect(await isLate.value == .late)
            #expect(try await stays.value.bytes == ByteCount(1))
            #expect(origin.requests.count == 1)
        }
    }

    @Test("When the last caller has gone, the transfer ends and the next one begins anew")
    func abandoned() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let url = origin.url("/drip")
            let only = Task { await fixture.failure(url) }
            try await Task.sleep(for: .milliseconds(300))
            only.cancel()
            #expect(await only.value == .cancelled)
            let next = Task { await fixture.failure(url) }
            try await Task.sleep(for: .milliseconds(300))
            #expect(origin.count("/drip") == 2)
            next.cancel()
            #expect(await next.value == .cancelled)
            // Its place is free again.
            #expect(await fixture.failure(origin.url("/file")) == nil)
        }
    }

    @Test("Transfers beyond the limit wait for a place")
    func places() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) {
            $0.maximumTransfers = 2
        } _: { fixture in
            let begun = ContinuousClock.now
            await withTaskGroup(of: FetchError.Code?.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        await fixture.failure(origin.url("/file?delay=0.4&n=\(number)"))
                    }
                }
                for await code in group { #expect(code == nil) }
            }
            let time = begun.duration(to: .now)
            #expect(time > .milliseconds(790))
        }
    }
}
