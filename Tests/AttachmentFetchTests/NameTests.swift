import AttachmentContainer
import AttachmentFetch
import Foundation
import OriginServer
import ProgramLaunch
import Testing

/// Names are looked up by the system's resolver in a network where every address is local, with the
/// default rules for addresses: only public addresses are allowed.
@Suite(
    "Names that a resolver answers", .timeLimit(.minutes(1)),
    .enabled(
        if: NamedNetwork.isAvailable,
        "new user, mount and network namespaces are not permitted here (unshare, ip and mount)"))
struct NameTests {
    private static let publicAddress = NamedNetwork.publicAddress
    private static let publicLongAddress = "2606:4700::1111"

    /// The codes of the failures to fetch URLs one after the other; nil for a success.
    private func failures(
        _ urls: [String], in network: NamedNetwork,
        _ change: (inout FetchSettings) -> Void = { _ in }
    ) async throws -> [FetchError.Code?] {
        var settings = FetchSettings()
        settings.allowsInsecureTransfer = true
        settings.failureLifetime = .zero
        change(&settings)
        let program = try #require(InstalledProgram.url(named: "thimble-transfer"))
        let fetcher = try AttachmentFetcher(
            settings: settings, executable: try network.entrance(to: program))
        var codes: [FetchError.Code?] = []
        for url in urls {
            do throws(FetchError) {
                _ = try await fetcher.fetch(url)
                codes.append(nil)
            } catch {
                codes.append(error.code)
            }
        }
        await fetcher.close()
        return codes
    }

    @Test("A name that changes from a public to a private address is refused from then on")
    func rebinding() async throws {
        let network = try NamedNetwork([
            "rebind.example": [
                ["A \(Self.publicAddress)"], ["A 10.0.0.7"], ["A 127.0.0.1"], ["A 169.254.169.254"],
                ["CNAME localhost", "A 127.0.0.1"], ["A \(Self.publicAddress)"],
            ]
        ])
        var codes: [FetchError.Code?] = []
        // Each process looks the name up again; one keeps an answer for a minute.
        for _ in 0..<6 {
            codes += try await failures(["http://rebind.example/"], in: network)
        }
        #expect(codes == [nil] + Array(repeating: .refusedAddress, count: 4) + [nil])
        #expect(network.lookups("rebind.example") == 6)
        #expect(network.connections == [Self.publicAddress, Self.publicAddress])
    }

    @Test("One process judges and contacts the same address, although the name has changed")
    func kept() async throws {
        let network = try NamedNetwork([
            "rebind.example": [["A \(Self.publicAddress)"], ["A 127.0.0.1"]],
            "inner.example": [["A 192.168.1.1"]],
        ])
        let codes = try await failures(
            [
                "http://rebind.example/to/rebind.example", "http://rebind.example/?2",
                "http://rebind.example/to/inner.example",
            ], in: network)
        #expect(codes == [nil, nil, .refusedAddress])
        #expect(network.connections == Array(repeating: Self.publicAddress, count: 4))
    }

    @Test("No connection is made to a refused address, whatever record names it")
    func records() async throws {
        let records = [
            "A 127.0.0.1", "A 127.8.8.8", "A 10.0.0.1", "A 172.16.0.1", "A 192.168.0.1",
            "A 100.64.0.1", "A 169.254.169.254", "A 100.100.100.200", "A 168.63.129.16",
            "A 0.0.0.0", "A 0.1.2.3", "A 198.18.0.1", "A 240.0.0.1", "A 224.0.0.1",
            "A 255.255.255.255", "AAAA ::", "AAAA ::1", "AAAA ::ffff:10.0.0.1",
            "AAAA ::ffff:93.184.216.34", "AAAA ::10.0.0.1", "AAAA 64:ff9b::10.0.0.1",
            "AAAA 64:ff9b:1::10.0.0.1", "AAAA 2002:a00:1::", "AAAA 2001::1", "AAAA fd00::1",
            "AAAA fd00:ec2::254", "AAAA fe80::1", "AAAA fec0::1", "AAAA ff02::1", "AAAA 4000::1",
        ]
        var names: [String: [[String]]] = [
            "alias.example": [["CNAME localhost", "A 127.0.0.1", "AAAA ::1"]],
            "two.example": [["CNAME a.example", "CNAME inner.example", "A 10.0.0.1"]],
            "all.example": [["A 10.0.0.1", "A 127.0.0.1", "AAAA ::1", "AAAA fd00::1"]],
            // More addresses than a datagram holds.
            "many.example": [["truncated"] + (1...250).map { "A 10.0.0.\($0)" }],
        ]
        for (number, record) in records.enumerated() { names["n\(number).example"] = [[record]] }
        let network = try NamedNetwork(names)
        let hosts = names.keys.sorted()
        let codes = try await failures(hosts.map { "http://\($0)/" }, in: network)
        for (host, code) in zip(hosts, codes) {
            #expect(code == .refusedAddress, "\(host): \(names[host] ?? [])")
        }
        #expect(network.connections.isEmpty)
    }

    @Test("Of public and private addresses of one name only the public ones are contacted")
    func mixed() async throws {
        let network = try NamedNetwork([
            "first.example": [["A 10.0.0.1", "A \(Self.publicAddress)", "A 127.0.0.1"]],
            "both.example": [["AAAA ::1", "A \(Self.publicAddress)"]],
            "long.example": [["AAAA \(Self.publicLongAddress)", "A 192.168.0.1"]],
            "stream.example": [["truncated", "A 10.0.0.1", "A \(Self.publicAddress)"]],
        ])
        let hosts = ["first", "both", "long", "stream"]
        let codes = try await failures(hosts.map { "http://\($0).example/" }, in: network)
        #expect(codes == [nil, nil, nil, nil])
        #expect(
            network.connections
                == [
                    Self.publicAddress, Self.publicAddress, Self.publicLongAddress,
                    Self.publicAddress,
                ])
    }

    @Test("An allowed host may have private addresses, and a redirection from it may not")
    func allowedHost() async throws {
        let network = try NamedNetwork([
            "cdn.example": [["A 10.0.0.1"]], "metadata.example": [["A 169.254.169.254"]],
            "other.example": [["A 10.0.0.1"]],
        ])
        let codes = try await failures(
            [
                "http://cdn.example/", "http://cdn.example/to/other.example",
                "http://metadata.example/",
            ], in: network
        ) { $0.allowedHosts = ["cdn.example", "metadata.example"] }
        #expect(codes == [nil, .refusedAddress, .refusedAddress])
        #expect(network.connections == ["10.0.0.1", "10.0.0.1"])
    }

    @Test(
        "A resolver that fails, does not answer or answers something else ends typed and in time",
        arguments: [
            [["silent"]], [["refused"]], [["garbage"]], [[]], [["CNAME a.example"]],
            [["stranger", "A 93.184.216.34"]], [["CNAME broken.example", "CNAME broken.example"]],
        ])
    func failing(_ lookups: [[String]]) async throws {
        let network = try NamedNetwork(["broken.example": lookups])
        let begun = ContinuousClock.now
        let codes = try await failures(
            ["http://broken.example/", "http://missing.example/"], in: network
        ) { $0.connectTimeout = .seconds(1) }
        #expect(codes == [.unreachable, .unreachable])
        #expect(begun.duration(to: .now) < .seconds(4))
        #expect(network.connections.isEmpty && network.lookups("broken.example") > 0)
    }

    @Test("A resolver that does not answer costs other transfers no time")
    func silence() async throws {
        let network = try NamedNetwork([
            "silent.example": [["silent"]], "quick.example": [["A \(Self.publicAddress)"]],
        ])
        let settings = {
            var settings = FetchSettings()
            settings.allowsInsecureTransfer = true
            settings.connectTimeout = .seconds(3)
            return settings
        }()
        let program = try #require(InstalledProgram.url(named: "thimble-transfer"))
        let fetcher = try AttachmentFetcher(
            settings: settings, executable: try network.entrance(to: program))
        let begun = ContinuousClock.now
        let waiting = (0..<4).map { number in
            Task { () -> FetchError.Code? in
                do throws(FetchError) {
                    _ = try await fetcher.fetch("http://silent.example/?\(number)")
                    return nil
                } catch {
                    return error.code
                }
            }
        }
        while network.lookups("silent.example") == 0 { usleep(10_000) }
        _ = try await fetcher.fetch("http://quick.example/")
        #expect(begun.duration(to: .now) < .seconds(2))
        for task in waiting { #expect(await task.value == .unreachable) }
        #expect(begun.duration(to: .now) < .seconds(5))
        await fetcher.close()
        #expect(network.connections == [Self.publicAddress])
    }
}
