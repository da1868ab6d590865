import AttachmentFetch
import Foundation
import OriginServer
import Testing

@Suite("TLS", .timeLimit(.minutes(1)))
struct FetchTLSTests {
    /// Certificates of an authority made for one test.
    private struct Authority {
        let folder: URL
        var file: String { folder.appending(path: "ca.pem").path }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Self.run(
                """
                req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1
                -subj /CN=Authority -keyout ca.key -out ca.pem
                """, in: folder)
        }

        /// Issues a certificate for names, in the syntax of openssl; a negative validity has ended.
        func keys(_ names: String, days: Int = 1) throws -> (certificate: URL, key: URL) {
            try Self.run(
                """
                req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days \(days)
                -subj /CN=Server -addext subjectAltName=\(names) -CA ca.pem -CAkey ca.key
                -keyout server.key -out server.pem
                """, in: folder)
            return (folder.appending(path: "server.pem"), folder.appending(path: "server.key"))
        }

        private static func run(_ words: String, in folder: URL) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = words.split(whereSeparator: \.isWhitespace).map(String.init)
            process.currentDirectoryURL = folder
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }

    @Test("Only a certificate of a trusted authority for the host is accepted")
    func verification() async throws {
        let authority = try Authority()
        defer { try? FileManager.default.removeItem(at: authority.folder) }
        let origin = try Origin(keys: authority.keys("IP:127.0.0.1"))
        try await FetchFixture.with(origin) { settings in
            settings.authorities = authority.file
            settings.allowsInsecureTransfer = false
        } _: { fixture in
            let file = try await fixture.fetcher.fetch(origin.url("/file?text=a"))
            #expect(file.text == "a")
            // The certificate names the address only.
            #expect(await fixture.failure(origin.url("/file", host: "localhost")) == .tls)
        }
        try await FetchFixture.with(origin) { fixture in
            #expect(await fixture.failure(origin.url("/file")) == .tls)
        }
        #expect(origin.requests.count == 1)
    }

    @Test("https is never redirected to http")
    func downgrade() async throws {
        let authority = try Authority()
        defer { try? FileManager.default.removeItem(at: authority.folder) }
        let plain = try Origin()
        let origin = try Origin(keys: authority.keys("IP:127.0.0.1"))
        try await FetchFixture.with(origin) { settings in
            settings.authorities = authority.file
            settings.allowedPorts.append(plain.port)
        } _: { fixture in
            let url = origin.url("/redirect?to=\(plain.url("/file"))")
            #expect(await fixture.failure(url) == .refusedScheme)
            let up = plain.url("/redirect?to=\(origin.url("/file"))")
            #expect(await fixture.failure(up) == nil)
        }
        #expect(plain.count("/file") == 0)
    }

    @Test("A file of authorities that is missing or no PEM ends typed")
    func authorities() async throws {
        let origin = try Origin()
        for file in ["/nonexistent/ca.pem", "/dev/null"] {
            try await FetchFixture.with(origin) {
                $0.authorities = file
            } _: { fixture in
                let code = await fixture.failure("https://127.0.0.1:\(origin.port)/")
                #expect(code == .tls || code == .fetcherLost)
            }
        }
    }
}
