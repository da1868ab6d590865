import AttachmentContainer
import AttachmentFetch
import Foundation
import OriginServer
import Testing
import TransferProtocol
import WorkerProtocol

/// A fetcher with a container, that may contact one origin.
final class FetchFixture: Sendable {
    let root: URL
    let container: SharedContainer
    let fetcher: AttachmentFetcher
    private let isOwner: Bool

    /// Uses the container of an existing fixture's folder, or makes one.
    init(
        _ origin: Origin, folder: URL? = nil, network: String = "127.0.0.1/32",
        _ change: (inout FetchSettings) throws -> Void = { _ in }
    ) throws {
        isOwner = folder == nil
        root =
            folder
            ?? FileManager.default.temporaryDirectory.appending(path: "fetch-\(UUID().uuidString)")
        container = try SharedContainer.create(at: root)
        var settings = FetchSettings()
        settings.allowedNetworks = [try #require(AddressRange(network))]
        settings.allowedPorts = [origin.port]
        settings.allowsInsecureTransfer = true
        settings.failureLifetime = .zero
        try change(&settings)
        fetcher = try AttachmentFetcher(
            settings: settings, container: container, sandbox: Self.sandbox)
    }

    /// The strictest sandbox that the kernel has.
    static let sandbox = SandboxMode.automatic

    deinit {
        if isOwner { try? FileManager.default.removeItem(at: root) }
    }

    /// Runs a test with it, and ends its processes.
    static func with<Value: Sendable>(
        _ origin: Origin, network: String = "127.0.0.1/32",
        _ change: (inout FetchSettings) throws -> Void = { _ in },
        _ body: (FetchFixture) async throws -> Value
    ) async throws -> Value {
        let fixture = try FetchFixture(origin, network: network, change)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(fixture))
        } catch {
            result = .failure(error)
        }
        await fixture.fetcher.close()
        return try result.get()
    }

    /// The code of the failure to fetch a URL; nil if it succeeds.
    func failure(_ url: String) async -> FetchError.Code? {
        do throws(FetchError) {
            _ = try await fetcher.fetch(url)
            return nil
        } catch {
            return error.code
        }
    }

    /// Names in a folder of the container.
    func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
    }
}

extension FetchedFile {
    /// The first bytes, as text.
    var text: String {
        var bytes = [UInt8](repeating: 0, count: min(self.bytes.bytes, 4096))
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
