import AttachmentContainer
import AttachmentFetch
import Foundation
import OriginServer
import Testing

@Suite("Servers that break HTTP", .timeLimit(.minutes(1)))
struct FetchFaultTests {
    /// The code of the failure to fetch a target; nil if it succeeds.
    ///
    /// Expects an end in time, without anything left behind.
    private func failure(
        _ target: String, of origin: Origin, within seconds: Int = 3,
        _ change: (inout FetchSettings) throws -> Void = { _ in }
    ) async throws -> FetchError.Code? {
        try await FetchFixture.with(origin, change) { fixture in
            let begun = ContinuousClock.now
            let code = await fixture.failure(origin.url(target))
            #expect(begun.duration(to: .now) < .seconds(seconds), "\(target)")
            let left = try fixture.names("incoming")
            #expect(left.isEmpty)
            return code
        }
    }

    /// Expects the failures of targets that are fetched one after the other; nil is success.
    private func expect(
        _ codes: KeyValuePairs<String, FetchError.Code?>, at path: String
    ) async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) {
            $0.maximumBytes = ByteCount(100_000)
        } _: { fixture in
            for (text, code) in codes {
                let begun = ContinuousClock.now
                let found = await fixture.failure(origin.url(path + text))
                #expect(found == code, "\(text)")
                #expect(begun.duration(to: .now) < .seconds(3), "\(text)")
            }
            let left = try fixture.names("incoming")
            #expect(left.isEmpty)
        }
    }

    @Test("False lengths are typed")
    func lengths() async throws {
        try await expect(
            [
                "Content-Length:%20-1": .malformed, "Content-Length:%20x": .malformed,
                "Content-Length:": .malformed, "Content-Length:%2011": .incomplete,
                // Ten bytes arrive of an announced exabyte.
                "Content-Length:%201000000000000000000": .tooLarge,
                "Content-Length:%2010.Content-Length:%2011": .incomplete,
                // The coding counts (RFC 9112, section 6.3), and the bytes are no chunk.
                "Content-Length:%2010.Transfer-Encoding:%20chunked": .incomplete,
                // Beyond 64 bits it counts as none: the body ends with the connection.
                "Content-Length:%2018446744073709551617": nil,
            ], at: "/length?head=")
    }

    @Test("False chunks are typed")
    func chunks() async throws {
        // libcurl has one result for malformed chunks and a connection that ended.
        try await expect(
            [
                "zz.x.0..": .incomplete, "-1.x.0..": .incomplete,
                "FFFFFFFFFFFFFFFF1.x.0..": .incomplete, "5.x": .incomplete,
                "7FFFFFFFFFFFFFFF.x": .incomplete, "1.xx0..": .incomplete, "1.x.": .incomplete,
                "": .incomplete, "0..": .empty,
            ], at: "/chunks?text=")
    }

    @Test("No part of a response can be endless")
    func unending() async throws {
        try await expect(
            [
                "interim": .malformed, "status": .malformed, "line": .malformed,
                "lines": .malformed, "folded": .malformed, "trailer": .incomplete,
                "trailers": .malformed, "chunks": .tooLarge,
            ], at: "/unending?part=")
        // libcurl drops it, at the pace of the server.
        let origin = try Origin()
        let code = try await failure("/unending?part=extension", of: origin) {
            $0.timeout = .seconds(1)
        }
        #expect(code == .late)
    }

    @Test("The endless body of an error or a redirection is not waited for")
    func unwanted() async throws {
        let origin = try Origin()
        #expect(try await failure("/endless?status=404", of: origin) == .status)
        #expect(try await failure("/endless?status=302", of: origin) == nil)
        let drip = try await failure("/drip?status=302", of: origin, within: 4) {
            $0.stallTime = .seconds(1)
        }
        #expect(drip == .tooSlow)
    }

    @Test("Slow redirections together have the time of one fetch")
    func slowChain() async throws {
        let origin = try Origin()
        let code = try await failure("/chain?left=5&delay=0.4", of: origin) {
            $0.timeout = .seconds(1)
        }
        #expect(code == .late)
        #expect(origin.requests.count <= 3)
    }

    @Test("Redirections between two servers are counted together")
    func twoServers() async throws {
        let origin = try Origin()
        let other = try Origin()
        var target = "/file"
        for number in 0..<6 {
            let server = number.isMultiple(of: 2) ? origin : other
            target = "/redirect?to=\(server.url(target))"
        }
        let code = try await failure(target, of: origin) { $0.allowedPorts.append(other.port) }
        #expect(code == .tooManyRedirects)
        #expect(origin.requests.count == 3 && other.requests.count == 3)
    }

    @Test("A server that accepts a connection and sends no TLS ends typed and in time")
    func silentTLS() async throws {
        let origin = try Origin()
        let silent = try #require(CountingListener(on: "127.0.0.1", port: 0))
        try await FetchFixture.with(origin) {
            $0.allowedPorts.append(silent.port)
            $0.connectTimeout = .seconds(1)
        } _: { fixture in
            let begun = ContinuousClock.now
            let code = await fixture.failure("https://127.0.0.1:\(silent.port)/")
            #expect(code == .unreachable)
            #expect(begun.duration(to: .now) < .seconds(3))
            // HTTP in answer to a handshake.
            #expect(await fixture.failure("https://127.0.0.1:\(origin.port)/") == .tls)
        }
        #expect(silent.connections == 1)
    }

    @Test(
        "A media type of any kind is handed on, for the decoder to judge the bytes",
        arguments: [
            ("text/html", "text/html"), ("", ""), ("image/jpeg, text/html", nil),
            ("x/y;%20a=%22", "x/y; a=\""),
        ])
    func mediaTypes(_ type: String, _ expected: String?) async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let file = try await fixture.fetcher.fetch(origin.url("/file?type=\(type)"))
            #expect(file.mediaType == expected ?? type)
        }
    }
}
