import AttachmentContainer
import AttachmentFetch
import Foundation
import OriginServer
import Testing

@Suite("The cache of fetched files", .timeLimit(.minutes(1)))
struct FetchCacheTests {
    @Test("A fresh file is not fetched again, also after a restart")
    func fresh() async throws {
        let origin = try Origin()
        let target = "/file?cache=max-age=600&text=a"
        let first = try FetchFixture(origin)
        let fetched = try await first.fetcher.fetch(origin.url(target))
        let again = try await first.fetcher.fetch(origin.url(target))
        #expect(fetched === again)
        await first.fetcher.close()
        let second = try FetchFixture(origin, folder: first.root)
        let cached = try await second.fetcher.fetch(origin.url(target))
        #expect(cached.text == "a" && cached.identity == fetched.identity)
        #expect(second.fetcher.processNumbers.isEmpty)
        #expect(origin.count(target) == 1)
        #expect(Set(try first.names("fetched").map { $0.suffix(4) }) == ["body", "json"])
    }

    @Test("Identities of more files are known than are open or cached, while they are fresh")
    func identities() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) {
            $0.maximumCacheBytes = ByteCount(3000)
        } _: { fixture in
            let url = { (number: Int) in
                origin.url("/file?cache=max-age=600&bytes=1000&n=\(number)")
            }
            var identities: [FetchedFile.Identity] = []
            for number in 0..<70 {
                identities.append(try await fixture.fetcher.fetch(url(number)).identity)
            }
            #expect(fixture.fetcher.recent(url(0)) == nil)
            #expect(try fixture.names("fetched").count < 70)
            #expect((0..<70).map { fixture.fetcher.recentIdentity(url($0)) } == identities)
            #expect(fixture.fetcher.recentIdentity(url(70)) == nil)
            let brief = origin.url("/file?cache=max-age=4")
            _ = try await fixture.fetcher.fetch(brief)
            #expect(fixture.fetcher.recentIdentity(brief) != nil)
            let secret = origin.url("/file?cache=no-store")
            _ = try await fixture.fetcher.fetch(secret)
            #expect(fixture.fetcher.recentIdentity(secret) == nil)
            let latest = ContinuousClock.now + .seconds(20)
            while fixture.fetcher.recentIdentity(brief) != nil, .now < latest {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(fixture.fetcher.recentIdentity(brief) == nil)
            #expect(origin.requests.count == 72)
        }
    }

    @Test("A stale file is confirmed by its validators, and fetched again without them")
    func revalidation() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let target = "/file?cache=no-cache&etag=%22v1%22&text=a"
            let first = try await fixture.fetcher.fetch(origin.url(target))
            let second = try await fixture.fetcher.fetch(origin.url(target))
            #expect(second.identity == first.identity)
            #expect(origin.requests.last?.contains("If-None-Match=\"v1\"") == true)
            // The confirmation keeps the directive that it repeats.
            _ = try await fixture.fetcher.fetch(origin.url(target))
            #expect(origin.count(target) == 3)
            _ = try await fixture.fetcher.fetch(origin.url("/stale"))
            _ = try await fixture.fetcher.fetch(origin.url("/stale"))
            #expect(origin.count("/stale") == 2)
            let dated = "/file?cache=max-age=0&modified=Sun,%2006%20Nov%201994%2008:49:37%20GMT"
            for _ in 0..<2 { _ = try await fixture.fetcher.fetch(origin.url(dated)) }
            #expect(origin.requests.last?.contains("If-Modified-Since=Sun, 06 Nov 1994") == true)
        }
    }

    @Test("What must not be stored is not")
    func noStore() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let url = origin.url("/file?cache=no-store&text=secret")
            #expect(try await fixture.fetcher.fetch(url).text == "secret")
            #expect(try fixture.names("fetched").isEmpty)
            _ = try await fixture.fetcher.fetch(url)
            #expect(origin.requests.count == 2)
        }
    }

    @Test("A temporary redirection is asked for again, a permanent one is not")
    func redirections() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            for (status, count) in [("302", 2), ("301", 1)] {
                let target = "/redirect?status=\(status)&to=/file?cache=max-age=600"
                for _ in 0..<2 { _ = try await fixture.fetcher.fetch(origin.url(target)) }
                #expect(origin.count(target) == count, "\(status)")
            }
        }
    }

    @Test(
        "A file is cached for the credentials with which it was fetched, whoever redirected to it",
        arguments: [true, false])
    func credentials(_ isRedirected: Bool) async throws {
        let origin = try Origin()
        let other = try Origin()
        let target = "/file?cache=max-age=600&text=private"
        let url =
            isRedirected
            ? other.url("/redirect?status=301&to=\(origin.url(target))") : origin.url(target)
        let permit = { (settings: inout FetchSettings) in
            settings.allowedPorts.append(other.port)
        }
        let first = try FetchFixture(origin) {
            permit(&$0)
            $0.headers = try FetchHeaders([
                "127.0.0.1:\(origin.port)": ["Authorization": "Bearer secret"]
            ])
        }
        _ = try await first.fetcher.fetch(url)
        await first.fetcher.close()
        #expect(origin.requests.last?.contains("secret") == !isRedirected)
        let second = try FetchFixture(origin, folder: first.root, permit)
        _ = try await second.fetcher.fetch(url)
        await second.fetcher.close()
        // What was fetched with credentials is not delivered without them.
        #expect(origin.requests.count { !$0.contains("secret") } == 1)
    }

    @Test("A file is not delivered once a server on the way to it is refused")
    func permissions() async throws {
        let origin = try Origin()
        let other = try Origin()
        let first = try FetchFixture(origin) { $0.allowedPorts.append(other.port) }
        let there = other.url("/redirect?status=301&to=\(origin.url("/file?cache=max-age=600"))")
        let encoded = there.replacing("&", with: "%26")
        let here = origin.url("/redirect?status=301&to=\(encoded)")
        let file = try await first.fetcher.fetch(here)
        #expect(try await first.fetcher.fetch(here) === file)
        await first.fetcher.close()
        for code in [FetchError.Code.refusedPort, .refusedAddress, .refusedScheme] {
            let next = try FetchFixture(origin, folder: first.root) {
                if code != .refusedPort { $0.allowedPorts.append(other.port) }
                if code == .refusedAddress { $0.allowedNetworks = [] }
                if code == .refusedScheme { $0.allowsInsecureTransfer = false }
            }
            #expect(await next.failure(here) == code)
            await next.fetcher.close()
        }
        let again = try FetchFixture(origin, folder: first.root) {
            $0.allowedPorts.append(other.port)
        }
        #expect(try await again.fetcher.fetch(here).identity == file.identity)
        #expect(again.fetcher.processNumbers.isEmpty)
        await again.fetcher.close()
    }

    @Test("A damaged file is fetched again")
    func damaged() async throws {
        let origin = try Origin()
        let target = "/file?cache=max-age=600&text=abc"
        let first = try FetchFixture(origin)
        _ = try await first.fetcher.fetch(origin.url(target))
        await first.fetcher.close()
        for (damage, count) in [("abd", 2), ("ab", 3)] {
            let names = try first.names("fetched")
            let body = try #require(names.first { $0.hasSuffix("body") })
            let file = first.root.appending(path: "fetched/\(body)")
            try Data(damage.utf8).write(to: file)
            let next = try FetchFixture(origin, folder: first.root)
            #expect(try await next.fetcher.fetch(origin.url(target)).text == "abc")
            await next.fetcher.close()
            #expect(origin.count(target) == count)
        }
    }

    @Test("The folder stays under its limits, and the file used longest ago goes first")
    func limits() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            for text in ["a", "b", "c"] {
                let target = "/file?cache=max-age=600&bytes=1000&text=\(text)"
                _ = try await fixture.fetcher.fetch(origin.url(target))
                usleep(20_000)
            }
            #expect(try fixture.names("fetched").count == 6)
            fixture.container.sweepFetched(
                maximumBytes: ByteCount(2900), maximumAge: .seconds(3600))
            let bodies = try fixture.names("fetched").filter { $0.hasSuffix("body") }
            let kept = ["b", "c"].map {
                "\(ContentDigest(of: String(repeating: $0, count: 1000))).body"
            }
            #expect(Set(bodies) == Set(kept))
            fixture.container.sweepFetched(maximumBytes: .megabytes(1), maximumAge: .zero)
            #expect(try fixture.names("fetched").isEmpty)
        }
    }

    @Test("Verification and pruning know the folder")
    func maintenance() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            _ = try await fixture.fetcher.fetch(origin.url("/file?cache=max-age=600"))
            var findings: [Finding] = []
            fixture.container.verify { if case .finding(let found) = $0 { findings.append(found) } }
            #expect(findings.isEmpty)
            try Data().write(to: fixture.root.appending(path: "fetched/other"))
            fixture.container.verify { if case .finding(let found) = $0 { findings.append(found) } }
            #expect(findings.map(\.code) == [.stray])
            for name in try fixture.names("fetched") {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date() - 8 * 86_400],
                    ofItemAtPath: fixture.root.appending(path: "fetched/\(name)").path)
            }
            let report = try fixture.container.prune()
            #expect(report.removed[.staleFetched]?.files == 3)
            #expect(try fixture.names("fetched").isEmpty)
        }
    }

    @Test("Files belong to the container's owner alone")
    func modes() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            _ = try await fixture.fetcher.fetch(origin.url("/file?cache=max-age=600"))
            for name in try fixture.names("fetched") {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: fixture.root.appending(path: "fetched/\(name)").path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test("A failure is the answer for seconds")
    func failures() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) {
            $0.failureLifetime = .milliseconds(300)
        } _: { fixture in
            let target = "/file?status=404"
            for _ in 0..<3 { #expect(await fixture.failure(origin.url(target)) == .status) }
            #expect(origin.count(target) == 1)
            try await Task.sleep(for: .milliseconds(350))
            #expect(await fixture.failure(origin.url(target)) == .status)
            #expect(origin.count(target) == 2)
        }
    }
}
