import AttachmentContainer
import AttachmentFetch
import AttachmentTransfer
import Foundation
import OriginServer
import Testing
import TransferProtocol
import WorkerProtocol

/// Listeners on addresses that must not be contacted, at the origin's allowed port.
private struct Traps {
    private let listeners: [CountingListener]

    init(port: UInt16) throws {
        listeners = ["127.0.0.2", "127.0.0.3", "::1"].compactMap {
            CountingListener(on: $0, port: port)
        }
        try #require(listeners.count >= 2)
    }

    var connections: Int { listeners.reduce(0) { $0 + $1.connections } }
}

@Suite("The guard against requests into the local network", .timeLimit(.minutes(1)))
struct FetchGuardTests {
    @Test("A counted connection is counted")
    func control() async throws {
        let origin = try Origin()
        let traps = try Traps(port: origin.port)
        try await FetchFixture.with(origin, network: "127.0.0.2/32") {
            $0.timeout = .milliseconds(500)
        } _: { fixture in
            let code = await fixture.failure(origin.url("/file", host: "127.0.0.2"))
            #expect(code == .late)
        }
        #expect(traps.connections == 1)
    }

    @Test(
        "No connection is made to a refused address, however the URL spells it",
        arguments: [
            "127.0.0.2", "2130706434", "0x7f000002", "017700000002", "127.2", "0x7f.0.0.2",
            "[::1]", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "[::127.0.0.2]",
            "[64:ff9b::127.0.0.2]", "[2002:7f00:2::]", "0.0.0.0", "0", "[::]", "169.254.169.254",
            "10.0.0.1", "localhost",
        ])
    func spellings(_ host: String) async throws {
        let origin = try Origin()
        let traps = try Traps(port: origin.port)
        // Not the origin's own address, which 0.0.0.0 and localhost lead to.
        try await FetchFixture.with(origin, network: "127.0.0.77/32") {
            $0.connectTimeout = .seconds(2)
        } _: { fixture in
            let code = await fixture.failure(origin.url("/file", host: host))
            #expect(code == .refusedAddress)
        }
        #expect(traps.connections == 0)
        #expect(origin.requests.isEmpty)
    }

    @Test("Each hop of a redirection is judged")
    func redirections() async throws {
        let origin = try Origin()
        let traps = try Traps(port: origin.port)
        try await FetchFixture.with(origin) { fixture in
            for (target, code) in [
                ("http://127.0.0.2:\(origin.port)/file", FetchError.Code.refusedAddress),
                ("//127.0.0.3:\(origin.port)/file", .refusedAddress),
                ("http://[::1]:\(origin.port)/file", .refusedAddress),
                ("https://10.0.0.1/", .refusedAddress), ("http://127.0.0.1:22/", .refusedPort),
                ("ftp://127.0.0.1/", .refusedScheme), ("file:///etc/passwd", .refusedScheme),
                ("http://user@127.0.0.1:\(origin.port)/file", .invalidURL),
            ] {
                let url = origin.url("/redirect?to=\(target)")
                #expect(await fixture.failure(url) == code, "\(target)")
            }
        }
        #expect(traps.connections == 0)
        #expect(origin.requests.allSatisfy { $0.contains("/redirect") })
    }

    @Test("A name that changes between two look-ups is judged at each connection")
    func rebinding() async throws {
        let origin = try Origin()
        let traps = try Traps(port: origin.port)
        let range = try #require(AddressRange("127.0.0.1/32"))
        let client = TransferClient(
            TransferConfiguration(
                addresses: AddressGuard(networks: [range], ports: [origin.port]),
                authorities: nil, sandbox: .automatic, limits: ResourceLimits()))
        let folder = FileManager.default.temporaryDirectory.path
        let perform = { (addresses: String) async throws(TransferFailure) -> Int in
            var request = TransferRequest(
                url: origin.url("/file", host: "rebind.example"), maximumBytes: 100)
            request.resolutions = ["rebind.example:\(origin.port):\(addresses)"]
            request.headers = [TransferRequest.Header("Connection", "close")]
            let output: OwnedDescriptor
            do {
                output = try OwnedDescriptor(unnamedFileIn: folder)
            } catch {
                throw TransferFailure(.storage, "\(error)")
            }
            return try await client.perform(request, to: output).status
        }
        #expect(try await perform("127.0.0.1") == 200)
        for addresses in ["127.0.0.2", "[::1]", "127.0.0.2,[::1]"] {
            let failure = await #expect(throws: TransferFailure.self) {
                _ = try await perform(addresses)
            }
            #expect(failure?.code == .refusedAddress)
        }
        // The next address of the host may serve.
        #expect(try await perform("127.0.0.2,127.0.0.1") == 200)
        await client.close()
        #expect(traps.connections == 0)
    }

    @Test("An allowed host may be in the local network, and no other one")
    func allowedHost() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin, network: "127.0.0.77/32") {
            $0.allowedHosts = ["localhost"]
        } _: { fixture in
            #expect(await fixture.failure(origin.url("/file", host: "LOCALHOST.")) == nil)
            #expect(await fixture.failure(origin.url("/file?2")) == .refusedAddress)
        }
    }

    @Test("Without http, and on ports that are not named, nothing is contacted")
    func schemesAndPorts() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) {
            $0.allowsInsecureTransfer = false
        } _: { fixture in
            #expect(await fixture.failure(origin.url("/file")) == .refusedScheme)
        }
        try await FetchFixture.with(origin) {
            $0.allowedPorts = []
        } _: { fixture in
            #expect(await fixture.failure(origin.url("/file")) == .refusedPort)
        }
        #expect(origin.requests.isEmpty)
    }

    @Test("Credentials go to their host alone, from a process of their own")
    func credentials() async throws {
        let origin = try Origin()
        let other = try Origin()
        try await FetchFixture.with(origin) { settings in
            settings.allowedPorts.append(other.port)
            settings.headers = try FetchHeaders([
                "127.0.0.1:\(origin.port)": ["Authorization": "Bearer secret"]
            ])
        } _: { fixture in
            let target = other.url("/file")
            _ = try await fixture.fetcher.fetch(origin.url("/redirect?to=\(target)"))
            _ = try await fixture.fetcher.fetch(origin.url("/redirect?to=/file?own"))
            #expect(fixture.fetcher.processNumbers.count == 2)
        }
        let secret = "Authorization=Bearer secret"
        #expect(origin.requests.count == 3 && origin.requests.allSatisfy { $0.contains(secret) })
        #expect(other.requests.count == 1 && !other.requests.contains { $0.contains("secret") })
    }

    @Test("A redirection by another host causes no request with credentials, not even back again")
    func redirectedCredentials() async throws {
        let origin = try Origin()
        let other = try Origin()
        try await FetchFixture.with(origin) { settings in
            settings.allowedPorts.append(other.port)
            settings.headers = try FetchHeaders([
                "127.0.0.1:\(origin.port)": ["Authorization": "Bearer secret"]
            ])
        } _: { fixture in
            let elsewhere = other.url("/redirect?to=\(origin.url("/file"))")
            _ = try await fixture.fetcher.fetch(elsewhere)
            // Credentials never enter the process that talked to the stranger.
            #expect(fixture.fetcher.processNumbers.count == 1)
            _ = try await fixture.fetcher.fetch(origin.url("/redirect?to=\(elsewhere)"))
        }
        let files = origin.requests.filter { $0.hasPrefix("GET /file ") }
        #expect(files.count == 2 && !files.contains { $0.contains("secret") })
        #expect(other.requests.count == 2 && !other.requests.contains { $0.contains("secret") })
    }

    @Test("A proxy of the environment is used only if it is asked for")
    func proxy() async throws {
        let origin = try Origin()
        let proxy = try Origin()
        setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        defer { unsetenv("http_proxy") }
        try await FetchFixture.with(origin) { fixture in
            #expect(await fixture.failure(origin.url("/file")) == nil)
        }
        #expect(origin.requests.count == 1 && proxy.requests.isEmpty)
        try await FetchFixture.with(origin) {
            $0.usesEnvironmentProxy = true
        } _: { fixture in
            // The origin as a proxy answers the absolute URL itself.
            #expect(await fixture.failure(origin.url("/file?2")) == nil)
            let code = await fixture.failure(origin.url("/file", host: "127.0.0.2"))
            #expect(code == .refusedAddress)
            #expect(await fixture.failure(origin.url("/file", host: "0x7f.2")) == .invalidURL)
        }
        #expect(origin.requests.count == 1 && proxy.requests.count == 1)
    }
}
